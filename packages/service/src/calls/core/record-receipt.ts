import { toApiError } from '../../http/index.js'
import type { Ledger, NewReceipt } from '../../record/index.js'
import { type ApiError, databaseUnavailable } from '../../shared/errors.js'

/** The result of recording a receipt. */
export interface Recorded {
  /** The number of the receipt. Null while the receipt waits in the spool, and when it could not be made durable. */
  seq: number | null
  /** Why the receipt could not be made durable. The caller receives this error instead of an answer. */
  fault: ApiError | null
}

/** Throws 503 when receipts cannot be written or signed at the moment, because nothing may be forwarded then. */
export function requireRecord(ledger: Pick<Ledger, 'available' | 'faultOf'>, tenantId: string): void {
  if (!ledger.available())
    throw databaseUnavailable('The record cannot be written at the moment; nothing was forwarded')
  const fault = ledger.faultOf(tenantId)
  if (fault !== null) throw databaseUnavailable(`${fault}; nothing was forwarded`)
}

/** Writes a receipt. Never throws; a failure is returned as `fault`. */
export async function recordReceipt(receipt: NewReceipt, ledger: Pick<Ledger, 'append'>): Promise<Recorded> {
  try {
    const { seq } = await ledger.append(receipt)
    return { seq, fault: null }
  } catch (error) {
    return { seq: null, fault: toApiError(error) }
  }
}
