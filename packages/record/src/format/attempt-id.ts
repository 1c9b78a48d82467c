import type { ReceiptDraft } from './entry.js'

// The first attempt and up to five retries.
const maxAttempts = 6

/** Returns the id of an attempt and of its receipt. The first attempt has the id of the call. */
export const attemptIdOf = (callId: string, attempt: number): string =>
  attempt === 1 ? callId : `${callId}.${attempt}`

/** Returns the ids that the attempts of a call can have. */
export const attemptIdsOf = (callId: string): string[] =>
  Array.from({ length: maxAttempts }, (_, i) => attemptIdOf(callId, i + 1))

/** Returns the id of the call that a receipt belongs to. */
export const callIdOf = ({ id, call }: Pick<ReceiptDraft, 'id' | 'call'>): string => call ?? id
