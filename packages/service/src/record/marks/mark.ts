/** How far a record was sealed, as stored outside the database. */
export interface Mark {
  tenant: string
  size: number
  /** The leaf hash of the last entry, in hex. Null when only the size is known. */
  last: string | null
  /** The root of the tree over all entries, in hex. Null when it is not known. */
  root: string | null
  /** In milliseconds since 1970. */
  atMs: number
  /** When the last restore of the record was accepted, as far as the writer of this mark knew. 0 for never. */
  acceptedMs: number
}

/** Stores marks outside the database. When it cannot be reached, its marks are not checked. */
export interface MarkStore {
  /** The name of the store in messages to the operator. */
  name: string
  /** The name of the store in the record, which others can read. */
  label: string
  read(): Promise<Mark[]>
  /** Stores each mark that is later than the stored one, by `isLater`. Null for a store that something else writes. */
  write: ((marks: readonly Mark[]) => Promise<void>) | null
}

/**
 * Returns whether a mark replaces another mark of the same record. A record only grows, unless a restore was accepted after the other
 * mark was made. The time alone does not decide, because replicas have different clocks and may write marks late.
 */
export function isLater(mark: Mark, other: Mark): boolean {
  if (mark.acceptedMs >= other.atMs) return true
  return other.acceptedMs < mark.atMs && mark.size >= other.size
}

export function byTenant<T>(values: Iterable<T>, tenantOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const group = groups.get(tenantOf(value))
    if (group) group.push(value)
    else groups.set(tenantOf(value), [value])
  }
  return groups
}

/** Returns the latest mark of each tenant. */
export function latestMarks(marks: Iterable<Mark>): Map<string, Mark> {
  const latest = new Map<string, Mark>()
  for (const mark of marks) {
    const other = latest.get(mark.tenant)
    if (other === undefined || isLater(mark, other)) latest.set(mark.tenant, mark)
  }
  return latest
}

/** Reads a mark. Null for a value that is not a mark, because an edited file must not stop the service. */
export function readMark(tenant: string, value: unknown): Mark | null {
  if (!Array.isArray(value)) return null
  const [size, last, atMs, root, acceptedMs] = value
  const isMark = Number.isSafeInteger(size) && Number.isFinite(atMs) && Number.isFinite(acceptedMs)
  return isMark && isHashOrNull(last) && isHashOrNull(root)
    ? { tenant, size, last, root, atMs, acceptedMs }
    : null
}

const isHashOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'

/** Writes a mark as a list: size, hash, time, root and time of acceptance. The script in limits/redis/record-marks.ts relies on the order. */
export const writeMark = ({ size, last, atMs, root, acceptedMs }: Mark): unknown[] => [
  size,
  last,
  atMs,
  root,
  acceptedMs,
]
