import { type Static, Type } from 'typebox'
import type { Db } from '../../../db/index.js'
import { Nullable, type Owner, strict, toUsd } from '../../../http/index.js'
import { expectByWeekday, historyDays, readFirstSpendDay } from '../../../resources/budgets/index.js'
import { parseReportQuery } from '../query/report-query.js'
import { startOfDate, wallClockAt } from '../query/time-zone.js'
import { readUsage } from './read-usage.js'

// The forecast of the month, day by day, by the rule of budgets, but also without a budget and in any time zone.

const dayMs = 86_400_000

export const ForecastQuery = Type.Object(
  {
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        default: 'UTC',
        description: 'The IANA time zone of the month and its days',
      }),
    ),
  },
  strict,
)

const Expected = Nullable(
  Type.Number({ minimum: 0 }),
  'The expected spend of the month, in USD. Null with less than a week of spend',
)

export const UsageForecast = Type.Object(
  {
    from: Type.String({ format: 'date-time', description: 'The start of the month' }),
    to: Type.String({ format: 'date-time', description: 'The end of the month, exclusive' }),
    timeZone: Type.String({ description: 'The time zone of the days' }),
    spentUsd: Type.Number({
      description: 'The amount in USD spent so far: the sum of the receipts of the month',
    }),
    forecastUsd: Expected,
    days: Type.Array(
      Type.Object(
        {
          ts: Type.String({ format: 'date-time', description: 'The start of the day' }),
          spentUsd: Nullable(
            Type.Number(),
            'The amount in USD spent on the day. Null for a day that has not begun',
          ),
          forecastUsd: Nullable(
            Type.Number({ minimum: 0 }),
            'The expected spend of the whole day, in USD. Null for a past day, and with less than a week of spend',
          ),
        },
        { title: 'UsageForecastDay' },
      ),
      { description: 'Every day of the month' },
    ),
  },
  {
    title: 'UsageForecast',
    examples: [
      {
        from: '2026-11-01T00:00:00.000Z',
        to: '2026-12-01T00:00:00.000Z',
        timeZone: 'UTC',
        spentUsd: 121.408233,
        forecastUsd: 239.7,
        days: [{ ts: '2026-11-01T00:00:00.000Z', spentUsd: 8.1, forecastUsd: null }],
      },
    ],
  },
)

export async function forecastMonth(
  db: Db,
  now: () => Date,
  input: { tenantId: string; own: Owner | null; timeZone: string },
): Promise<Static<typeof UsageForecast>> {
  const { tenantId, own, timeZone } = input
  const at = now()
  const { year, month, day } = wallClockAt(timeZone, at.getTime())
  const startOf = (dayOfMonth: number) => startOfDate(timeZone, year, month, dayOfMonth)
  const [fromMs, toMs] = [startOf(1), startOfDate(timeZone, year, month + 1, 1)]
  const from = new Date(Math.min(fromMs, startOf(day - historyDays))).toISOString()
  const query = parseReportQuery({ tenantId, own, timeZone, from, interval: 'day', groupBy: 'provider' }, at)
  const { points } = await readUsage(db, query, at, 0)
  const numberOf = (ms: number) => {
    const date = wallClockAt(timeZone, ms)
    return Date.UTC(date.year, date.month - 1, date.day) / dayMs
  }
  const spent = new Map(
    query.span.starts.map((start, i) => [numberOf(start.getTime()), points[i]?.costNanos ?? 0]),
  )
  const today = numberOf(at.getTime())
  const spentOn = (each: number) => spent.get(each) ?? 0
  const firstDay = await readFirstSpendDay(db, tenantId, accountOf(tenantId, own))
  const expectedOn = expectByWeekday({ today, firstDay, spentOn })
  const remainingToday = (startOf(day + 1) - at.getTime()) / (startOf(day + 1) - startOf(day))

  let spentNanos = 0
  let expectedNanos = 0
  const days: Static<typeof UsageForecast>['days'] = []
  for (let each = 1; startOf(each) < toMs; each++) {
    const number = numberOf(startOf(each))
    const isFuture = number > today
    const expected =
      expectedOn === null || number < today ? null : expectedOn(number) * (isFuture ? 1 : remainingToday)
    if (!isFuture) spentNanos += spentOn(number)
    expectedNanos += expected ?? 0
    days.push({
      ts: new Date(startOf(each)).toISOString(),
      spentUsd: isFuture ? null : toUsd(spentOn(number)),
      forecastUsd: expected === null ? null : toUsd(Math.max(0, spentOn(number) + Math.round(expected))),
    })
  }
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    timeZone,
    spentUsd: toUsd(spentNanos),
    forecastUsd:
      expectedOn === null ? null : toUsd(Math.max(spentNanos, spentNanos + Math.round(expectedNanos))),
    days,
  }
}

/** Returns the account that contains the spend of these calls. */
function accountOf(tenantId: string, own: Owner | null) {
  if (own === null) return { scopeType: 'tenant' as const, scopeId: tenantId }
  return 'userId' in own
    ? { scopeType: 'user' as const, scopeId: own.userId }
    : { scopeType: 'key' as const, scopeId: own.keyId }
}
