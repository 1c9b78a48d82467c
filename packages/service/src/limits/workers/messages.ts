import { errorCode } from '../../shared/error-code.js'
import { ApiError, type ServiceFault, unavailable } from '../../shared/errors.js'
import type { SpendAccount } from '../../shared/spend-account.js'
import type {
  ActualUse,
  AdmissionRequest,
  Admitted,
  Decision,
  Hold,
  OutOfPeriod,
  ReceiptSpend,
  RefusedBySpend,
  RefusedByWindow,
  SpendRefusal,
  WindowClaim,
} from '../contract.js'

/** A hold as both sides know it. The state behind it is in the process that counts. */
export interface HoldId extends Hold {
  readonly attemptId: string
  readonly atMs: number
}

/** What a worker asks of the process that counts: a method of the admission store with its arguments. */
export type Command =
  | { method: 'admit'; request: AdmissionRequest }
  | { method: 'settle'; hold: HoldId; actual: ActualUse }
  | { method: 'release'; hold: HoldId }
  | { method: 'countReceipts'; receipts: readonly ReceiptSpend[] }
  | { method: 'readLimitStatuses'; tenantId: string; claims: readonly WindowClaim[] }
  | { method: 'readReservedNanos'; tenantId: string; account: SpendAccount }
  | { method: 'forgetTenant'; tenantId: string }
  | { method: 'check' }

/** A command with the number that its reply repeats. */
export type NumberedCommand = Command & { readonly id: number }

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: SentError }

/** An error with what decides how it is shown to callers, and the stack for the log of the worker. */
export interface SentError {
  readonly message: string
  readonly stack: string | undefined
  readonly code: string | undefined
  readonly fault: ServiceFault | null
}

/** A decision with limits by their index in the request, because callers look for the very limit that they passed. */
export type SentDecision =
  | (Omit<Admitted, 'hold'> & { readonly hold: HoldId })
  | (Omit<RefusedByWindow, 'refusedBy'> & { readonly refusedBy: number })
  | (Omit<RefusedBySpend, 'refusal'> & { readonly refusal: SentSpendRefusal })
  | OutOfPeriod

type SentSpendRefusal = Omit<SpendRefusal, 'accountLimit'> & { readonly accountLimit: number }

export function toSentError(error: unknown): SentError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const fault = error instanceof ApiError ? error.serviceFault : null
  return { message, stack, code: errorCode(error), fault }
}

export function fromSentError({ message, stack, code, fault }: SentError): Error {
  const cause = Object.assign(new Error(message), { stack, code })
  return fault === null ? cause : unavailable(message, cause, fault)
}

/** Sends only the members of a limit that the store reads. Callers attach others for their own use. */
export function toSentRequest(request: AdmissionRequest): AdmissionRequest {
  const { spend } = request
  if (spend === null || spend.accountLimits.length === 0) return request
  const accountLimits = spend.accountLimits.map(({ account, limitNanos }) => ({ account, limitNanos }))
  return { ...request, spend: { ...spend, accountLimits } }
}

export function toSentDecision(decision: Decision, { claims, spend }: AdmissionRequest): unknown {
  if (decision.admitted || decision.reason === 'period') return decision
  if (decision.reason === 'window')
    return { ...decision, refusedBy: claims.findIndex(({ id }) => id === decision.refusedBy.id) }
  const { refusal } = decision
  const accountLimit = spend?.accountLimits.indexOf(refusal.accountLimit)
  return { ...decision, refusal: { ...refusal, accountLimit } }
}

export function fromSentDecision(sent: SentDecision, { claims, spend }: AdmissionRequest): Decision {
  if (sent.admitted || sent.reason === 'period') return sent
  if (sent.reason === 'window') return { ...sent, refusedBy: itemAt(claims, sent.refusedBy) }
  const { refusal } = sent
  const accountLimit = itemAt(spend?.accountLimits ?? [], refusal.accountLimit)
  return { ...sent, refusal: { ...refusal, accountLimit } }
}

function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new RangeError(`The decision names limit ${index} of ${items.length}`)
  return item
}
