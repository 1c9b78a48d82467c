import { type StageEnds, toStageEnds } from '../modules/calls/index.js'

/**
 * When each stage of a call ended, in milliseconds that only grow; NaN for a stage that it did not come to. A stage begins where
 * the one before it ended. Made once per call, of numbers alone: all fields are doubles from the start, so that no mark
 * changes the object's shape. A mark takes 0.1 µs, nearly all of it for the clock.
 */
export interface Stages {
  /** The head of the request was here. */
  arrivedMs: number
  /** The key was checked, and the body was here. The latency of a call counts from this. */
  readMs: number
  /** The body was understood. */
  receivedMs: number
  plannedMs: number
  /** What it may use at its target was worked out, for the first time. */
  reservedMs: number
  /** Limits and budgets had decided, and it was written down as under way. */
  admittedMs: number
  /** The user, the model and the policies on requests had been asked. */
  guardedMs: number
  /** The first byte of the answer was here; where none came, the provider's failure. */
  forwardedMs: number
  /** The last byte was here. Of a stream, this includes its way to the caller, and policies on answers. */
  answeredMs: number
  /** Policies had read an answer that came in one piece. */
  judgedMs: number
  settledMs: number
  /** The receipt was durable. */
  recordedMs: number
}

export const startStages = (arrivedMs: number): Stages => ({
  arrivedMs,
  readMs: Number.NaN,
  receivedMs: Number.NaN,
  plannedMs: Number.NaN,
  reservedMs: Number.NaN,
  admittedMs: Number.NaN,
  guardedMs: Number.NaN,
  forwardedMs: Number.NaN,
  answeredMs: Number.NaN,
  judgedMs: Number.NaN,
  settledMs: Number.NaN,
  recordedMs: Number.NaN,
})

export type StageName =
  | 'read'
  | 'receive'
  | 'plan'
  | 'reserve'
  | 'admit'
  | 'guard'
  | 'forward'
  | 'answer'
  | 'judge'
  | 'settle'
  | 'record'

/** In the order in which a call goes through them, each with the field that ends it. */
const ends: readonly (readonly [StageName, Exclude<keyof Stages, 'arrivedMs'>])[] = [
  ['read', 'readMs'],
  ['receive', 'receivedMs'],
  ['plan', 'plannedMs'],
  ['reserve', 'reservedMs'],
  ['admit', 'admittedMs'],
  ['guard', 'guardedMs'],
  ['forward', 'forwardedMs'],
  ['answer', 'answeredMs'],
  ['judge', 'judgedMs'],
  ['settle', 'settledMs'],
  ['record', 'recordedMs'],
]

/** Visits the stages that a call came to, in their order. */
export function eachStage(
  stages: Stages,
  visit: (name: StageName, beginMs: number, endMs: number) => void,
): void {
  let beginMs = stages.arrivedMs
  for (const [name, end] of ends) {
    const endMs = stages[end]
    if (Number.isNaN(endMs)) continue
    visit(name, beginMs, endMs)
    beginMs = endMs
  }
}

const endFields = new Map(ends)

/** When each stage ended, as it is kept with the call. */
export const stageEndsOf = (stages: Stages): StageEnds =>
  toStageEnds((name) => {
    const field = endFields.get(name)
    return field === undefined ? Number.NaN : stages[field] - stages.arrivedMs
  })
