import type { BodiesInFlight } from '../../../../http/index.js'
import type { SignalParts } from './call-signals.js'

export interface ForwardParts extends SignalParts {
  /** Counts the memory of answers that are read to the end before they are sent. */
  answers: Pick<BodiesInFlight, 'open'>
  /** The monotonic clock, in milliseconds. */
  now(): number
}
