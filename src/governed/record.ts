import { type ApiError, databaseUnavailable } from '../errors.js'
import { toApiError } from '../http/index.js'
import type { Ledger, NewReceipt } from '../ledger/index.js'

/** What became of a receipt. */
export interface Recorded {
  /** Its number. Null while it waits in the spool, and when it could not be made durable. */
  seq: number | null
  /** Why it could not be made durable. Then the caller gets this error instead of an answer. */
  fault: ApiError | null
}

/** Throws 503 where the record of a call could not be written or signed: then nothing may be forwarded. */
export function requireRecord(ledger: Pick<Ledger, 'available' | 'faultOf'>, tenantId: string): void {
  if (!ledger.available())
    throw databaseUnavailable('The record cannot be written at the moment; nothing was forwarded')
  const fault = ledger.faultOf(tenantId)
  if (fault !== null) throw databaseUnavailable(`${fault}; nothing was forwarded`)
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
