import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'
import type { SpendAccount } from '../../../shared/spend-account.js'

// Forecasts what a budget will have spent at the end of its period: what is already spent and, for every remaining
// day, the mean of the same weekday in the previous four weeks. Today counts by the part that remains. Weekdays,
// since offices rest at weekends; four weeks, so that the forecast follows a change within a month; a mean, so that
// forecasts add up. There is no trend or season, because a month of days cannot show one.

const dayMs = 86_400_000
export const historyDays = 28
/** Every weekday once. */
const minHistoryDays = 7

export type DayOf = (day: number) => number

/**
 * Returns the expected cost of a day by its weekday. Days are whole numbers since the epoch in any time zone;
 * `firstDay` is the first with any spend. Null when less than a week is known.
 */
export function expectByWeekday({
  today,
  firstDay,
  spentOn,
}: {
  today: number
  firstDay: number | null
  spentOn: DayOf
}): DayOf | null {
  if (firstDay === null || today - firstDay < minHistoryDays) return null
  const since = Math.max(firstDay, today - historyDays)
  const meanOf = (weekday: number): number => {
    const days: number[] = []
    for (let day = since; day < today; day++) if (day % 7 === weekday) days.push(Math.max(0, spentOn(day)))
    return days.reduce((sum, nanos) => sum + nanos, 0) / days.length
  }
  const means = Array.from({ length: 7 }, (_, weekday) => meanOf(weekday))
  return (day) => means[day % 7] ?? 0
}

/**
 * Forecasts one account. `spentOn` returns the spend of a whole past day, by its number since the epoch; `firstDay`
 * is the first with any spend. Null when less than a week is known, or the period never ends.
 */
export function forecastNanos(account: {
  endMs: number | null
  nowMs: number
  spentNanos: number
  firstDay: number | null
  spentOn: DayOf
}): number | null {
  const { endMs, nowMs, spentNanos, firstDay, spentOn } = account
  const today = Math.floor(nowMs / dayMs)
  const expectedOn = expectByWeekday({ today, firstDay, spentOn })
  if (endMs === null || expectedOn === null) return null
  let expected = 0
  for (let day = today; day * dayMs < endMs; day++) {
    const left = Math.min(1, ((day + 1) * dayMs - nowMs) / dayMs)
    expected += expectedOn(day) * left
  }
  return Math.max(spentNanos, spentNanos + Math.round(expected))
}

/**
 * Reads the forecast of each account; `spent` is what they have spent so far. Plan: for each account its days in
 * the totals, and the tenant's rows that are not yet folded.
 */
export async function readForecasts(
  db: Db,
  tenantId: string,
  accounts: readonly SpendAccount[],
  spent: readonly number[],
  now: Date,
): Promise<(number | null)[]> {
  const today = new Date(Math.floor(now.getTime() / dayMs) * dayMs)
  const since = new Date(today.getTime() - historyDays * dayMs)
  const { rows } = await sql<{ first: number | null; days: number[]; nanos: number[] }>`
    select (select min(d.day) - date '1970-01-01' from spend_days d
        where d.tenant_id = ${tenantId} and d.scope_type = q.scope_type and d.scope_id = q.scope_id)::integer as first, r.days, r.nanos
    from unnest(${accounts.map(({ scopeType }) => scopeType)}::text[], ${accounts.map(({ scopeId }) => scopeId)}::text[])
      with ordinality as q (scope_type, scope_id, ordinal)
    cross join lateral (
      select coalesce(array_agg(d.day - date '1970-01-01'), '{}')::integer[] as days,
        coalesce(array_agg(d.cost_nanos), '{}')::float8[] as nanos
      from (
        select day, sum(cost_nanos) as cost_nanos from spend_days
        where tenant_id = ${tenantId} and scope_type = q.scope_type and scope_id = q.scope_id
          and day >= ${since.toISOString().slice(0, 10)}::date and day < ${today.toISOString().slice(0, 10)}::date
        group by day) as d
    ) as r
    order by q.ordinal`.execute(db)
  return accounts.map(({ endMs }, i) => {
    const { first = null, days = [], nanos = [] } = rows[i] ?? {}
    const byDay = new Map(days.map((day, j) => [day, nanos[j] ?? 0]))
    return forecastNanos({
      endMs,
      nowMs: now.getTime(),
      spentNanos: spent[i] ?? 0,
      firstDay: first,
      spentOn: (day) => byDay.get(day) ?? 0,
    })
  })
}

/**
 * Returns the first day, in UTC, with any spend; null when there is none. Plan: the days of the scope in the
 * totals, and the tenant's rows that are not yet folded.
 */
export async function readFirstSpendDay(
  db: Db,
  tenantId: string,
  { scopeType, scopeId }: Pick<SpendAccount, 'scopeType' | 'scopeId'>,
): Promise<number | null> {
  const { rows } = await sql<{ first: number | null }>`
    select (min(day) - date '1970-01-01')::integer as first from spend_days
    where tenant_id = ${tenantId} and scope_type = ${scopeType} and scope_id = ${scopeId}`.execute(db)
  return rows[0]?.first ?? null
}
