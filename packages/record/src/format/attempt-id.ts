import type { ReceiptDraft } from './entry.js'

/** As many as a call is tried: the first time, and five times more. */
const maxAttempts = 6

/** Each attempt of a call has a receipt, and an id of its own: that of the first is the call's. */
export const attemptIdOf = (callId: string, attempt: number): string =>
  attempt === 1 ? callId : `${callId}.${attempt}`

/** The ids that the attempts of a call can have. */
export const attemptIdsOf = (callId: string): string[] =>
  Array.from({ length: maxAttempts }, (_, i) => attemptIdOf(callId, i + 1))

/** The id that the attempts of a call share. */
export const callIdOf = ({ id, call }: Pick<ReceiptDraft, 'id' | 'call'>): string => call ?? id
