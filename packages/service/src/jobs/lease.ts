import { type RawBuilder, sql } from 'kysely'

/** Null means the database's clock, which all replicas share. Tests inject one that they can move. */
export type Clock = () => Date | null

/** Returns the given time, or that of the database when it is null. */
export const timeOrNow = (now: Date | null): RawBuilder<Date> => sql`coalesce(${now}::timestamptz, now())`

/**
 * Returns when a lease ends that begins now. It has whole milliseconds, because the holder of a delivery sends it
 * back to prove that it still holds the lease, and a JavaScript date is not more precise.
 */
export const leaseEnd = (leaseMs: number, now: Date | null = null): RawBuilder<Date> =>
  sql`date_trunc('milliseconds', ${timeOrNow(now)} + ${leaseMs} * interval '1 millisecond')`

/** The same for a statement that is plain text. */
export const leaseEndText = (leaseMs: number): string =>
  `date_trunc('milliseconds', now() + ${leaseMs} * interval '1 millisecond')`

/** True when a lease has ended, or there is none. */
export const isUnleased = (leasedUntil: RawBuilder<Date>, now: Date | null = null): RawBuilder<boolean> =>
  sql`(${leasedUntil} is null or ${leasedUntil} <= ${timeOrNow(now)})`
