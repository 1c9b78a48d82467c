/**
 * The stages of a call whose times are stored, in order. The last one, making the receipt durable, has ended when
 * they are written.
 */
export const stageNames = [
  'read',
  'receive',
  'plan',
  'reserve',
  'admit',
  'guard',
  'forward',
  'answer',
  'judge',
  'settle',
] as const

export type StoredStage = (typeof stageNames)[number]

// Times are in hundredths of a millisecond, because most stages take only a few. A database integer holds six hours; longer
// times are cut to that.
const perMs = 100
const maxEnd = 2_147_483_647

/** When each stage ended, relative to the arrival of the call; null for a stage that was not reached. */
export type StageEnds = readonly (number | null)[]

/** `endOf` returns milliseconds after the arrival, or NaN for a stage that was not reached. */
export function toStageEnds(endOf: (name: StoredStage) => number): StageEnds {
  return stageNames.map((name) => {
    const ms = endOf(name)
    return Number.isNaN(ms) ? null : Math.min(maxEnd, Math.max(0, Math.round(ms * perMs)))
  })
}

/** A stage begins where the previous one ended. */
export function readStages(ends: StageEnds): { name: StoredStage; startMs: number; durationMs: number }[] {
  let start = 0
  return stageNames.flatMap((name, index) => {
    const end = ends[index] ?? null
    if (end === null) return []
    const stage = { name, startMs: start / perMs, durationMs: (end - start) / perMs }
    start = end
    return [stage]
  })
}
