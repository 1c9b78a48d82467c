import type { AnswerJudge } from '../../../../policies/index.js'
import type { Answer } from '../../answer.js'
import type { DecidedModelAttempt } from '../attempt.js'
import { watchSignals } from './call-signals.js'
import { Exchange } from './exchange.js'
import type { ForwardParts } from './forward-parts.js'
import type { JudgedBody } from './upstream-request.js'

/** Sends the call to its provider. A stream is relayed to the caller as it arrives, except for its end. Never rejects. */
export function forward(
  attempt: DecidedModelAttempt,
  judged: JudgedBody,
  parts: ForwardParts,
  judge: AnswerJudge | null,
): Promise<Answer> {
  return new Promise((resolve) => {
    const exchange = new Exchange(attempt, judge, parts, resolve)
    exchange.start(judged, watchSignals(attempt, parts, exchange))
  })
}
