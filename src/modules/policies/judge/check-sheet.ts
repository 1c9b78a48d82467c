import { ApiError } from '../../../errors.js'
import type { EntryCheck } from '../../../ledger/index.js'
import type { CompiledPolicy } from '../compile-set.js'
import { linesOf } from './check-lines.js'

interface Line {
  result: 'pass' | 'fail' | 'error'
  /** Why, in words that repeat nothing of the call. */
  because: string
}

const passed: Line = { result: 'pass', because: '' }

/** What each policy said of a call: the worst, where it was asked several times. */
export class CheckSheet {
  readonly #policies: readonly CompiledPolicy[]
  readonly #lines = new Map<CompiledPolicy, Line>()

  constructor(policies: readonly CompiledPolicy[]) {
    this.#policies = policies
  }

  pass(policy: CompiledPolicy): void {
    if (!this.#lines.has(policy)) this.#lines.set(policy, passed)
  }

  violated(policy: CompiledPolicy, because: string): void {
    if (this.#lines.get(policy)?.result !== 'fail') this.#lines.set(policy, { result: 'fail', because })
  }

  /** It could not decide. That blocks, unless its config says otherwise, or it would never block anyway. */
  failed(policy: CompiledPolicy): void {
    const before = this.#lines.get(policy)?.result
    if (before === 'fail' || before === 'error') return
    this.#lines.set(policy, { result: 'error', because: 'it could not be evaluated' })
  }

  /** One line per policy, for the receipt. Those that were never asked did not apply. */
  checks(): EntryCheck[] {
    return this.#policies.map((policy) => {
      const line = this.#lines.get(policy)
      const lines = linesOf(policy)
      if (line === undefined) return lines.skip
      if (line.result === 'error' && blocks(policy, line)) return lines.errorBlocks
      return lines[line.result]
    })
  }

  /** The error that refuses the call, of the first policy that blocks it; null when none does. */
  refusal(): ApiError | null {
    for (const policy of this.#policies) {
      const line = this.#lines.get(policy)
      if (line && blocks(policy, line)) return refuse(policy, line)
    }
    return null
  }

  get redacted(): boolean {
    for (const [{ action }, { result }] of this.#lines)
      if (action === 'redact' && result === 'fail') return true
    return false
  }
}

function blocks({ action, judge }: CompiledPolicy, { result }: Line): boolean {
  if (result === 'fail') return action === 'block'
  const mayFail = judge.looksAt === 'service' && judge.onError === 'allow'
  return result === 'error' && action !== 'flag' && !mayFail
}

function refuse({ id, name, kind, judge }: CompiledPolicy, { because }: Line): ApiError {
  const type = judge.looksAt === 'model' ? 'model_not_allowed' : 'policy_violation'
  return new ApiError(type, `Blocked by the policy "${name}": ${because}`, { policy_id: id, check: kind })
}
