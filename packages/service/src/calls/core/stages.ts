import { type StageEnds, toStageEnds } from '../../reporting/calls/index.js'

/**
 * When each stage of a call ended, on the monotonic clock; NaN for a stage that was not reached. A stage begins when the previous one
 * ends. All fields are doubles from the start, so that setting one does not change the shape of the object: that takes 0.1 µs, nearly all
 * of it for reading the clock.
 */
export interface Stages {
  /** The headers of the request had arrived. */
  arrivedMs: number
  /** The key was checked and the body had arrived. The latency of a call is measured from here. */
  readMs: number
  /** The body was parsed and validated. */
  receivedMs: number
  plannedMs: number
  /** The first reservation was computed. */
  reservedMs: number
  /** Limits and budgets had decided, and the attempt was stored as an open call. */
  admittedMs: number
  /** The user, the permission and the policies on requests were checked. */
  guardedMs: number
  /** The first byte of the answer had arrived, or the provider had failed. */
  forwardedMs: number
  /** The last byte had arrived. For a stream this includes relaying it to the caller and policies on answers. */
  answeredMs: number
  /** Policies had judged an answer that is not a stream. */
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

/** The stages in order, each with the field that holds its end. */
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

/** Visits the stages that a call reached, in order. */
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

/** Returns when each stage ended, in the form that is stored with the receipt. */
export const stageEndsOf = (stages: Stages): StageEnds =>
  toStageEnds((name) => {
    const field = endFields.get(name)
    return field === undefined ? Number.NaN : stages[field] - stages.arrivedMs
  })
