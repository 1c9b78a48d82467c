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

/** Its objection in words, or null for none. Rejects if it does not answer in time, or its answer cannot be read. */
export type AskService = (
  policy: CompiledPolicy,
  service: Extract<Judge, { subject: 'service' }>,
  question: Question,
) => Promise<string | null>

/** The question was not put, for a reason that is not the service's: its `onError` does not apply, the call is refused. */
export class NotAskedError extends Error {}

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
        if (error instanceof NotAskedError) results.recordUnreadable(policy, error.message)
        else results.recordError(policy)
      }
    }),
  )
}
