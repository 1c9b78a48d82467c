import type { CompiledPolicy } from '../compiled-policy.js'
import type { Judge } from '../kinds/judge.js'
import type { CheckResults } from './check-results.js'
import type { JudgedCall } from './judge-call.js'

/** What a tenant's own guardrail is asked about. */
export interface Question {
  call: JudgedCall
  phase: 'input' | 'output'
  texts: readonly string[]
  /** False for a piece of a stream of which more will come. */
  final: boolean
}

/** Its objection in words, or null for none. Rejects with one of the errors below if there is no verdict. */
export type AskService = (
  policy: CompiledPolicy,
  service: Extract<Judge, { subject: 'service' }>,
  question: Question,
) => Promise<string | null>

/** The service failed, and nothing in the question can have made it fail: what `onError` is for. */
export class ServiceFailedError extends Error {}

/** There is no verdict, for a reason that the caller is told: the call is refused, whatever `onError` says. */
export class NoVerdictError extends Error {}

/** Asks all of them at once. */
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
        // What is not known to be the service's own failure may be the caller's doing.
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
