import type { Target } from '../../../providers/index.js'
import type { ReceiptDraft } from '../../../record/index.js'
import type { Entitlements } from '../../../resources/keys/index.js'
import type { ApiError } from '../../../shared/errors.js'
import type { CallTrace, Stages } from '../../core/index.js'
import type { Call } from '../call.js'
import type { EndedModelAttempt } from './attempt.js'
import type { CallUsage } from './count-usage.js'
import { answerIdOf } from './issued-ids.js'

/** An attempt that has ended, for logs, metrics and traces. */
export interface FinishedModelAttempt {
  call: Call
  entitlements: Entitlements
  target: Target
  /** The receipt as it was written to the record. */
  draft: ReceiptDraft
  /** The number of the receipt. Null while the receipt waits in the spool, and when it could not be made durable. */
  seq: number | null
  /** Why the receipt could not be made durable. The caller received this error instead of an answer. */
  fault: ApiError | null
  /** Why the answer is missing or incomplete. Null when it is complete, including when it is the provider's own error. */
  error: ApiError | null
  stages: Stages
  trace: CallTrace | null
  /** The time from the arrival of the whole request to the end of the answer. */
  latencyMs: number
  /** The time to the first byte of the answer. Null when there was none. */
  firstByteMs: number | null
  /** The status of the provider. Null when it did not answer or was not asked. */
  upstreamStatus: number | null
  /** The provider's id of the answer. Null when it issued none. */
  answerId: string | null
  /** Why the reported usage is implausible or not fully priced. */
  doubt: CallUsage['doubt']
  /** Whether the response cache had an answer. Null when it was not asked. */
  cache: 'hit' | 'miss' | null
}

export function describeFinishedAttempt(ended: EndedModelAttempt): FinishedModelAttempt {
  const { attempt, answer, usage, latencyMs, draft, seq, fault } = ended
  const { call, entitlements, target, progress, cache } = attempt
  return {
    call,
    entitlements,
    target,
    draft,
    seq,
    fault,
    latencyMs,
    cache,
    stages: progress.stages,
    trace: progress.trace,
    error: answer.error,
    firstByteMs: answer.firstByteMs,
    upstreamStatus: answer.upstreamStatus,
    answerId: answerIdOf(answer, attempt),
    doubt: usage.doubt,
  }
}
