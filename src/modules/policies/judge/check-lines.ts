import type { EntryCheck } from '../../../ledger/index.js'
import type { CompiledPolicy } from '../compile-set.js'

/** What a policy can leave in a receipt. */
interface CheckLines {
  /** It was never asked: it did not apply. */
  skip: EntryCheck
  pass: EntryCheck
  fail: EntryCheck
  /** It could not decide, and the call is let through. */
  error: EntryCheck
  /** It could not decide, and for that the call is refused. */
  errorBlocks: EntryCheck
}

const made = new WeakMap<CompiledPolicy, CheckLines>()

/** Made once for a policy and frozen: the same lines stand in all receipts, and the ledger writes each once. */
export function linesOf(policy: CompiledPolicy): CheckLines {
  const known = made.get(policy)
  if (known) return known
  const { kind: name, reference, action } = policy
  const line = (result: EntryCheck['result'], acted: Pick<EntryCheck, 'action'> = {}): EntryCheck =>
    Object.freeze({ name, applicable: result !== 'skip', policy: reference, result, ...acted })
  const lines = {
    skip: line('skip'),
    pass: line('pass'),
    fail: line('fail', { action }),
    error: line('error'),
    errorBlocks: line('error', { action: 'block' }),
  }
  made.set(policy, lines)
  return lines
}
