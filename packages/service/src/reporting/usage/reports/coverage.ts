import { sql } from 'kysely'
import type { Tx } from '../../../db/index.js'
import { rareTags } from '../counting/rare-tags.js'
import { findSummary, hasHours, type Summary } from '../counting/summaries.js'
import {
  columnsUsed,
  type Dimension,
  needsCalls,
  needsOutcomeOrTags,
  type Selection,
} from '../query/dimensions.js'
import type { Coverage } from '../query/pieces.js'

const dayMs = 86_400_000
// Minutes are stored for two hours; the rest is a margin for clocks that differ.
const minutesKeptMs = 90 * 60_000

/** Finds out which rows can answer a report from `from` up to `to`. */
export async function findCoverage(
  tx: Tx,
  { selection, dimensions }: { selection: Selection; dimensions: readonly Dimension[] },
  { from, to, now }: { from: Date; to: Date; now: Date },
): Promise<{ coverage: Coverage; summary: Summary | null }> {
  if (needsCalls(selection, dimensions)) return { coverage: onlyCalls, summary: null }
  const columns = columnsUsed(selection, dimensions)
  const summary = findSummary(columns)
  const closedDays = await readClosedDays(tx, selection.tenantId, from, to)
  const hoursOfCalls = columns.has('tags') ? await readRareHours(tx, selection.tenantId, from, to) : []
  for (const hour of hoursOfCalls) closedDays.delete(hour - (hour % dayMs))
  const coverage: Coverage = {
    callsOnly: false,
    closedDays,
    hoursOfCalls,
    days: summary === null ? 'usage_days' : 'summary_days',
    hoursOfDays: hasHours(summary) ? 'summary_hours' : 'usage_hours',
    minutesFromMs: needsOutcomeOrTags(selection, dimensions)
      ? Number.POSITIVE_INFINITY
      : now.getTime() - minutesKeptMs,
  }
  return { coverage, summary }
}

export const onlyCalls: Coverage = {
  callsOnly: true,
  closedDays: new Set(),
  hoursOfCalls: [],
  days: 'usage_days',
  hoursOfDays: 'usage_hours',
  minutesFromMs: Number.POSITIVE_INFINITY,
}

/**
 * Returns the days from `from` up to `to` that were added up and have not changed since. An unfolded row changes
 * its day.
 */
export async function readClosedDays(tx: Tx, tenantId: string, from: Date, to: Date): Promise<Set<number>> {
  const { rows } = await sql<{ day: Date }>`select day from closed_usage_days
    where tenant_id = ${tenantId} and attempt is null and day > ${from}::timestamptz - interval '24 hours' and day < ${to}
    except select date_bin('1 day', minute, 'epoch') from unfolded_usage where tenant_id = ${tenantId}`.execute(
    tx,
  )
  return new Set(rows.map(({ day }) => day.getTime()))
}

/** Returns the hours with more different tags than are kept. */
async function readRareHours(tx: Tx, tenantId: string, from: Date, to: Date): Promise<number[]> {
  const { rows } = await sql<{ hour: Date }>`select distinct hour from folded_usage_hours
    where tenant_id = ${tenantId} and tags = ${sql.lit(rareTags)} and hour > ${from}::timestamptz - interval '1 hour' and hour < ${to}
    order by hour`.execute(tx)
  return rows.map(({ hour }) => hour.getTime())
}
