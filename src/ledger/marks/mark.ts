/** How far a record was sealed, as it is remembered outside the database. */
export interface Mark {
  tenant: string
  size: number
  /** The leaf hash of the last entry, in hex; null where only the size is known. */
  last: string | null
  /** In milliseconds since 1970. */
  atMs: number
}

/** A place outside the database that remembers marks. It may be away: what it does not know is not checked. */
export interface MarkStore {
  name: string
  read(): Promise<Mark[]>
  /** Replaces what it has of these tenants. Null for a place that others write to. */
  write: ((marks: readonly Mark[]) => Promise<void>) | null
}

/** Of each tenant the one that was made last: a record only grows, but for a restore that was accepted. */
export function newestMarks(marks: Iterable<Mark>): Map<string, Mark> {
  const newest = new Map<string, Mark>()
  for (const mark of marks) {
    const other = newest.get(mark.tenant)
    if (other === undefined || mark.atMs > other.atMs) newest.set(mark.tenant, mark)
  }
  return newest
}

/** Null for what is no mark: a file that somebody edited must not stop the service. */
export function readMark(tenant: string, value: unknown): Mark | null {
  if (!Array.isArray(value)) return null
  const [size, last, atMs] = value
  const isMark = Number.isSafeInteger(size) && Number.isFinite(atMs)
  return isMark && (last === null || typeof last === 'string') ? { tenant, size, last, atMs } : null
}

export const writeMark = ({ size, last, atMs }: Mark): [number, string | null, number] => [size, last, atMs]
