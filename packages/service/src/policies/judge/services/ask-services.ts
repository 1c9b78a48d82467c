import type { Judge } from '../../kinds/judge.js'
import type { CompiledPolicy } from '../../sets/compiled-policy.js'
import type { CheckResults } from '../check-results.js'
import type { JudgedCall } from '../judge-call.js'

/** A question to a tenant's own guardrail service. */
export interface Question {
  call: JudgedCall
  phase: 'input' | 'output'
  texts: readonly string[]
  /** False for a piece of a stream that continues. */
  final: boolean
}

/** Returns the reason of a violation, or null if there is none. Rejects with one of the errors below if there is no verdict. */
export type AskService = (
  policy: CompiledPolicy,
  service: Extract<Judge, { subject: 'service' }>,
  question: Question,
) => Promise<string | null>

/** The service failed, and nothing in the question can have caused it. `onError` decides about the call. */
export class ServiceFailedError extends Error {}

/** There is no verdict. The call is refused with this message, whatever `onError` is. */
export class NoVerdictError extends Error {}

/** Asks all services concurrently. */
export async function askServices(
  policies: readonly CompiledPolicy[],
  question: Question,
  { ask, results }: { ask: AskService; results: CheckResults },
): Promise<void> {
  await Promise.all(
    policies.map(async (policy) => {
      if (policy.judge.subject !== 'service') return
      try {
        const objection = await ask(policy, policy.judge, question)
        if (objection === null) results.recordPass(policy)
        else results.recordViolation(policy, objection)
      } catch (error) {
        // Any other failure may have been caused by the caller.
        if (error instanceof ServiceFailedError) results.recordError(policy)
        else
          results.recordUnreadable(
            policy,
            error instanceof NoVerdictError ? error.message : 'it has no verdict',
          )
      }
    }),
  )
}
