import { sql } from 'kysely'
import type { Tx } from '../../../db/index.js'
import { invalidField } from '../../../shared/errors.js'
import { type Coverage, coverPoints, type Piece } from '../query/pieces.js'
import { readClosedDays } from './coverage.js'
import { readRequests } from './read-sums.js'
import { unnested } from './rows.js'
import { combinePieces } from './spans.js'

type Span = Pick<Piece, 'fromMs' | 'toMs'>

export async function requireCalls(tx: Tx, tenantId: string, pieces: readonly Piece[]): Promise<void> {
  const needed = pieces.filter(({ source }) => source === 'calls')
  if (needed.length === 0 || (await areCallsKept(tx, tenantId, needed))) return
  throw invalidField(
    'from',
    'is too early: this report needs single calls, and some of this span are no longer stored. Choose a later `from`. Or ask for whole hours of UTC, ' +
      'without `session`, `route`, `agent`, `cache`, `batch`, `policyId`, `minCostUsd` and `requestId`, and without tags of which an hour had more than 1,000 values',
  )
}

/**
 * Returns whether the table of calls contains every call of these spans: it must have as many as their hours
 * counted. Calls are missing after `callsRetentionDays`, and until `tallystick rebuild calls` has built them.
 */
export async function areCallsKept(tx: Tx, tenantId: string, spans: readonly Span[]): Promise<boolean> {
  const hours = wholeHours(spans)
  const [first, last] = [hours[0], hours.at(-1)]
  if (!first || !last) return true
  const { rows } = await sql<{ kept: number }>`
    select coalesce(sum((select count(*) from calls
      where tenant_id = ${tenantId} and ts >= p.since and ts < p.until)), 0)::bigint as kept
    from ${unnested(hours)}`.execute(tx)
  return rows[0]?.kept === (await countCalls(tx, tenantId, hours, { fromMs: first.fromMs, toMs: last.toMs }))
}

/** Returns how many calls were counted in whole hours. */
async function countCalls(
  tx: Tx,
  tenantId: string,
  hours: readonly Span[],
  { fromMs, toMs }: Span,
): Promise<number> {
  const coverage: Coverage = {
    callsOnly: false,
    closedDays: await readClosedDays(tx, tenantId, new Date(fromMs), new Date(toMs)),
    hoursOfCalls: [],
    days: 'summary_days',
    hoursOfDays: 'summary_hours',
    minutesFromMs: Number.POSITIVE_INFINITY,
  }
  const pieces = hours.flatMap((hour) => coverPoints([hour.fromMs], hour.toMs, coverage))
  const selection = { tenantId, own: null, filters: { tags: new Map() } }
  const reading = { selection, dimensions: [], summary: 'model' } as const
  return await readRequests(tx, reading, combinePieces(pieces, 'calls', -1))
}

/** Returns the hours that spans touch, as few spans that do not overlap. */
function wholeHours(spans: readonly Span[]): Piece[] {
  const hourMs = 3_600_000
  const widened = spans
    .map(({ fromMs, toMs }) => ({
      fromMs: Math.floor(fromMs / hourMs) * hourMs,
      toMs: Math.ceil(toMs / hourMs) * hourMs,
    }))
    .sort((a, b) => a.fromMs - b.fromMs)
  const hours: Piece[] = []
  for (const { fromMs, toMs } of widened) {
    const last = hours.at(-1)
    if (last && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs)
    else hours.push({ source: 'calls', fromMs, toMs, point: 0, sign: 1 })
  }
  return hours
}
