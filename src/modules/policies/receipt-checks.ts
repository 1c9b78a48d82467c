import type { EntryCheck } from '../../ledger/index.js'
import type { Action } from './kinds/kind.js'

/** Every check that a policy can leave in a receipt. */
export interface ReceiptChecks {
  /** It was never asked: it did not apply. */
  skip: EntryCheck
  pass: EntryCheck
  fail: EntryCheck
  /** It should have redacted something and cannot, and therefore the call is refused. */
  failBlocks: EntryCheck
  /** It could not decide, and the call is let through. */
  error: EntryCheck
  /** It could not decide, and therefore the call is refused. */
  errorBlocks: EntryCheck
}

/**
 * Made once for a policy, and frozen because all receipts share them. With these made for each call, judging a call took
 * 1.13 times as long with five policies, 1.38 times with fifty.
 */
export function createReceiptChecks(policy: {
  kind: string
  reference: string
  action: Action
}): ReceiptChecks {
  const { kind: name, reference, action } = policy
  const check = (result: EntryCheck['result'], acted: Pick<EntryCheck, 'action'> = {}): EntryCheck =>
    Object.freeze({ name, applicable: result !== 'skip', policy: reference, result, ...acted })
  return {
    skip: check('skip'),
    pass: check('pass'),
    fail: check('fail', { action }),
    failBlocks: check('fail', { action: 'block' }),
    error: check('error'),
    errorBlocks: check('error', { action: 'block' }),
  }
}
