import { randomBytes } from 'node:crypto'
import type { EndpointRow } from './store.js'

export const mintSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Those that sign, the newest first: the present one, and the one before until its time is over. */
export function secretsOf(
  row: Pick<EndpointRow, 'secret' | 'previous_secret' | 'previous_secret_until'>,
  now: Date,
): string[] {
  const { secret, previous_secret, previous_secret_until } = row
  const overlaps = previous_secret_until !== null && previous_secret_until > now
  return overlaps && previous_secret !== null ? [secret, previous_secret] : [secret]
}
