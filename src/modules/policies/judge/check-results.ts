import { ApiError } from '../../../errors.js'
import type { EntryCheck } from '../../../ledger/index.js'
import type { CompiledPolicy } from '../compiled-policy.js'

interface Result {
  result: 'pass' | 'fail' | 'error'
  /** In words that repeat nothing of the call. */
  reason: string
  /** An error that the call itself caused: no config lets it pass. */
  isOfCall?: true
  /** It had to be redacted, and cannot be: the call is refused instead. */
  isUnredactable?: boolean
}

const passed: Result = { result: 'pass', reason: '' }

/** What each policy decided on a call: the worst, if it was asked several times. */
export class CheckResults {
  readonly #policies: readonly CompiledPolicy[]
  readonly #results = new Map<CompiledPolicy, Result>()

  constructor(policies: readonly CompiledPolicy[]) {
    this.#policies = policies
  }

  recordPass(policy: CompiledPolicy): void {
    if (!this.#results.has(policy)) this.#results.set(policy, passed)
  }

  recordViolation(policy: CompiledPolicy, reason: string): void {
    this.#record(policy, { result: 'fail', reason })
  }

  /** For a policy that redacts: what it found stands where nothing can be put in its place. */
  recordUnredactable(policy: CompiledPolicy, reason: string): void {
    const inWords = `${reason}, where it cannot be redacted`
    this.#record(policy, { result: 'fail', reason: inWords, isUnredactable: true })
  }

  /** It could not decide. That blocks, unless its config says otherwise, or it would never block anyway. */
  recordError(policy: CompiledPolicy): void {
    this.#record(policy, { result: 'error', reason: 'it could not be evaluated' })
  }

  /** It could not decide because of what the call is. That blocks, unless the policy would never block anyway. */
  recordUnreadable(policy: CompiledPolicy, reason: string): void {
    this.#record(policy, { result: 'error', reason, isOfCall: true })
  }

  /** What blocks stays, whatever else is found: one text that was redacted says nothing of another that could not be judged. */
  #record(policy: CompiledPolicy, next: Result): void {
    const before = this.#results.get(policy)
    if (before === undefined || severity(policy, next) > severity(policy, before))
      this.#results.set(policy, next)
  }

  /** One per policy, for the receipt. Policies that were never asked did not apply. */
  checks(): EntryCheck[] {
    return this.#policies.map((policy) => {
      const { receiptChecks } = policy
      const result = this.#results.get(policy)
      if (result === undefined) return receiptChecks.skip
      if (result.result === 'error' && blocks(policy, result)) return receiptChecks.errorBlocks
      if (result.isUnredactable) return receiptChecks.failBlocks
      return receiptChecks[result.result]
    })
  }

  /** The error that refuses the call, from the first policy that blocks it; null if none does. */
  refusal(): ApiError | null {
    for (const policy of this.#policies) {
      const result = this.#results.get(policy)
      if (result && blocks(policy, result)) return refuse(policy, result)
    }
    return null
  }

  get redacted(): boolean {
    for (const [{ action }, { result }] of this.#results)
      if (action === 'redact' && result === 'fail') return true
    return false
  }
}

function blocks(
  { action, judge }: CompiledPolicy,
  { result, isOfCall, isUnredactable = false }: Result,
): boolean {
  if (result === 'fail') return action === 'block' || isUnredactable
  const mayFail = judge.subject === 'service' && judge.onError === 'allow' && isOfCall !== true
  return result === 'error' && action !== 'flag' && !mayFail
}

function severity(policy: CompiledPolicy, result: Result): number {
  const ranks = { pass: 0, error: 1, fail: 2 }
  return ranks[result.result] + (blocks(policy, result) ? 2 : 0)
}

function refuse({ id, name, kind, judge }: CompiledPolicy, { reason }: Result): ApiError {
  const type = judge.subject === 'model' ? 'model_not_allowed' : 'policy_violation'
  return new ApiError(type, `Blocked by the policy "${name}": ${reason}`, { policy_id: id, check: kind })
}
