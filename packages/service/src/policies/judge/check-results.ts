import type { EntryCheck } from '../../record/index.js'
import { ApiError } from '../../shared/errors.js'
import type { CompiledPolicy } from '../sets/compiled-policy.js'

interface Result {
  result: 'pass' | 'fail' | 'error'
  /** Never repeats a part of the call. */
  reason: string
  /** The call itself caused the error, so no config lets it pass. */
  isCausedByCall?: true
  /** The finding cannot be redacted, so the call is refused instead. */
  isUnredactable?: boolean
}

const passed: Result = { result: 'pass', reason: '' }

/** The result of each policy for one call. If a policy was asked several times, this is its most severe result. */
export class CheckResults {
  readonly #policies: readonly CompiledPolicy[]
  // Bounded: policies of the set, for one call.
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

  /** Records that a redacting policy found something where a placeholder would not be valid. */
  recordUnredactable(policy: CompiledPolicy, reason: string): void {
    const redactionReason = `${reason}, where it cannot be redacted`
    this.#record(policy, { result: 'fail', reason: redactionReason, isUnredactable: true })
  }

  /** Records that the policy could not decide. This blocks the call, unless the config allows it or the policy only flags. */
  recordError(policy: CompiledPolicy): void {
    this.#record(policy, { result: 'error', reason: 'it could not be evaluated' })
  }

  /** Records that the policy could not decide because of the call itself. This blocks the call, unless the policy only flags. */
  recordUnreadable(policy: CompiledPolicy, reason: string): void {
    this.#record(policy, { result: 'error', reason, isCausedByCall: true })
  }

  /** Keeps the more severe result: redacting one text does not make up for another that could not be judged. */
  #record(policy: CompiledPolicy, next: Result): void {
    const before = this.#results.get(policy)
    if (before === undefined || severity(policy, next) > severity(policy, before))
      this.#results.set(policy, next)
  }

  /** Returns one check per policy, for the receipt. Policies that were never asked did not apply. */
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

  /** Returns the error of the first policy that blocks the call; null if none does. */
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
  { result, isCausedByCall, isUnredactable = false }: Result,
): boolean {
  if (result === 'fail') return action === 'block' || isUnredactable
  const mayFail = judge.subject === 'service' && judge.onError === 'allow' && isCausedByCall !== true
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
