import type { CompiledPolicy } from '../compile-set.js'
import type { Judge } from '../kinds/judge.js'
import type { CheckSheet } from './check-sheet.js'
import type { JudgedCall } from './judge-call.js'

/** What a tenant's own guardrail is asked about. */
export interface Question {
  call: JudgedCall
  phase: 'input' | 'output'
  texts: readonly string[]
  /** False for a piece of a stream of which more will come. */
  final: boolean
}

/** Its objection in words, or null for none. Rejects when it gives no answer in time, or none that can be read. */
export type AskService = (
  policy: CompiledPolicy,
  service: Extract<Judge, { looksAt: 'service' }>,
  question: Question,
) => Promise<string | null>

/** Asks all of them at once. */
export async function askServices(
  policies: readonly CompiledPolicy[],
  question: Question,
  { ask, sheet }: { ask: AskService; sheet: CheckSheet },
): Promise<void> {
  await Promise.all(
    policies.map(async (policy) => {
      if (policy.judge.looksAt !== 'service') return
      try {
        const objection = await ask(policy, policy.judge, question)
        if (objection === null) sheet.pass(policy)
        else sheet.violated(policy, objection)
      } catch {
        sheet.failed(policy)
      }
    }),
  )
}
