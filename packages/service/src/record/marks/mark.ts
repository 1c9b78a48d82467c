/** How far a record was sealed, as it is remembered outside the database. */
export interface Mark {
  tenant: string
  size: number
  /** The leaf hash of the last entry, in hex; null where only the size is known. */
  last: string | null
  /** Root of the tree over all entries, in hex; null where it is not known. */
  root: string | null
  /** In milliseconds since 1970. */
  atMs: number
  /** When the last restore of the record was accepted, as far as the writer of this mark knew. 0 for never. */
  acceptedMs: number
}

/** A place outside the database that remembers marks. It may be unreachable: what it does not know is not checked. */
export interface MarkStore {
  /** For messages to the operator. */
  name: string
  /** For the record, which others read too. */
  label: string
  read(): Promise<Mark[]>
  /** Keeps the later of what it has and of these, by `isLater`. Null for a place that something else writes to. */
  write: ((marks: readonly Mark[]) => Promise<void>) | null
}

/**
 * Whether a mark replaces another of the same record. A record only grows, except when a restore was accepted since the other was made.
 * Not by the time alone: replicas have different clocks, and one of them may write late what it committed early.
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

/** The latest mark of each tenant. */
export function latestMarks(marks: Iterable<Mark>): Map<string, Mark> {
  const latest = new Map<string, Mark>()
  for (const mark of marks) {
    const other = latest.get(mark.tenant)
    if (other === undefined || isLater(mark, other)) latest.set(mark.tenant, mark)
  }
  return latest
}

/** Null for a value that is not a mark: a file that somebody edited must not stop the service. */
export function readMark(tenant: string, value: unknown): Mark | null {
  if (!Array.isArray(value)) return null
  const [size, last, atMs, root, acceptedMs] = value
  const isMark = Number.isSafeInteger(size) && Number.isFinite(atMs) && Number.isFinite(acceptedMs)
  return isMark && isHashOrNull(last) && isHashOrNull(root)
    ? { tenant, size, last, root, atMs, acceptedMs }
    : null
}

const isHashOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'

/** The order of the members is known to the script in Redis: size first, then hash, time, root and time of acceptance. */
export const writeMark = ({ size, last, atMs, root, acceptedMs }: Mark): unknown[] => [
  size,
  last,
  atMs,
  root,
  acceptedMs,
]
