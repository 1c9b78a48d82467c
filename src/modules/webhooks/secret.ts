import { randomBytes } from 'node:crypto'
import type { EndpointRow } from './store.js'

export const generateSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** The secrets that sign now, newest first: the current one, and the previous one until its overlap ends. */
export function signingSecrets(
  row: Pick<EndpointRow, 'secret' | 'previous_secret' | 'previous_secret_until'>,
  now: Date,
): string[] {
  const { secret, previous_secret, previous_secret_until } = row
  const overlaps = previous_secret_until !== null && previous_secret_until > now
  return overlaps && previous_secret !== null ? [secret, previous_secret] : [secret]
}
