import type { EntryCheck } from '../../record/index.js'
import type { Action } from '../kinds/kind.js'

/** The checks that a policy can leave in a receipt, by result. */
export interface ReceiptChecks {
  /** The policy did not apply, so it was not asked. */
  skip: EntryCheck
  pass: EntryCheck
  fail: EntryCheck
  /** The policy found something that cannot be redacted, so the call is refused. */
  failBlocks: EntryCheck
  /** The policy could not decide, and the call is allowed. */
  error: EntryCheck
  /** The policy could not decide, so the call is refused. */
  errorBlocks: EntryCheck
}

/**
 * Creates the checks of a policy, frozen because all receipts share them. Creating them for each call made judging take 1.13 times as
 * long with five policies, 1.38 times with fifty.
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
