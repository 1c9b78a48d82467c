import type { ApiError } from '../errors.js'
import { toApiError } from '../http/index.js'
import type { Ledger, NewReceipt } from '../ledger/index.js'

/** What became of a receipt. */
export interface Recorded {
  /** Its number. Null while it waits in the spool, and when it could not be made durable. */
  seq: number | null
  /** Why it could not be made durable. Then the caller gets this error instead of an answer. */
  fault: ApiError | null
}

/** Never throws: whatever happened, the call has ended. */
export async function recordReceipt(receipt: NewReceipt, ledger: Pick<Ledger, 'append'>): Promise<Recorded> {
  try {
    const { seq } = await ledger.append(receipt)
    return { seq, fault: null }
  } catch (error) {
    return { seq: null, fault: toApiError(error) }
  }
}
