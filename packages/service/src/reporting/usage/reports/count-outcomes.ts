import type { Tx } from '../../../db/index.js'
import { needsCalls, type Selection } from '../query/dimensions.js'
import { coverPoints } from '../query/pieces.js'
import { findCoverage } from './coverage.js'
import { readGroupsBySpan } from './read-sums.js'
import { combinePieces } from './spans.js'
import { areCallsKept } from './stored-calls.js'

export interface CountedOutcome {
  /** The number of the point. */
  point: number
  outcome: string | null
  calls: number
  costNanos: number
}

/**
 * Counts calls by outcome between points in time, from the rollups. Null where only the calls can answer, and where
 * not all of them are stored any more: then the rollups would count more than a search finds.
 */
export async function countOutcomes(
  tx: Tx,
  selection: Selection,
  { starts, toMs, now }: { starts: readonly number[]; toMs: number; now: Date },
): Promise<CountedOutcome[] | null> {
  const fromMs = starts[0] ?? toMs
  if (needsCalls(selection, []) || !(await areCallsKept(tx, selection.tenantId, [{ fromMs, toMs }])))
    return null
  const dimensions = [{ name: 'outcome', by: { column: 'outcome' } }] as const
  const range = { from: new Date(fromMs), to: new Date(toMs), now }
  const { coverage, summary } = await findCoverage(tx, { selection, dimensions }, range)
  const sources = combinePieces(coverPoints(starts, toMs, coverage), 'calls', -1)
  const reading = { selection, dimensions, summary }
  const counted = new Map<string, CountedOutcome>()
  const series = { only: 'all', hasLatencies: false } as const
  for (const { span, key, sum } of await readGroupsBySpan(tx, reading, sources, series))
    for (const { point, sign } of span.uses) {
      const outcome = key[0] ?? null
      const name = `${point} ${outcome}`
      const at = counted.get(name) ?? { point, outcome, calls: 0, costNanos: 0 }
      counted.set(name, at)
      at.calls += sign * sum.requests
      at.costNanos += sign * sum.costNanos
    }
  return [...counted.values()].filter(({ calls }) => calls > 0).sort((a, b) => a.point - b.point)
}
