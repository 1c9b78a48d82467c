/** The stages of a call whose times are kept, in their order. The last one, making the receipt durable, is over when they are written. */
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

export type KeptStage = (typeof stageNames)[number]

// Hundredths of a millisecond: most stages take some of them. An integer of the database holds six hours; what takes longer counts as that.
const perMs = 100
const maxEnd = 2_147_483_647

/** When each stage ended, after the arrival of the call; null for one that it did not come to. */
export type StageEnds = readonly (number | null)[]

/** `endOf` answers in milliseconds after the arrival, NaN for a stage that the call did not come to. */
export function toStageEnds(endOf: (name: KeptStage) => number): StageEnds {
  return stageNames.map((name) => {
    const ms = endOf(name)
    return Number.isNaN(ms) ? null : Math.min(maxEnd, Math.max(0, Math.round(ms * perMs)))
  })
}

/** A stage begins where the one before it ended. */
export function readStages(ends: StageEnds): { name: KeptStage; startMs: number; durationMs: number }[] {
  let start = 0
  return stageNames.flatMap((name, place) => {
    const end = ends[place] ?? null
    if (end === null) return []
    const stage = { name, startMs: start / perMs, durationMs: (end - start) / perMs }
    start = end
    return [stage]
  })
}
