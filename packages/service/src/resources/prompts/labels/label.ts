import { invalidField } from '../../../shared/errors.js'

export const labelPattern = '^[a-z0-9][a-z0-9._-]{0,63}$'

/** Always means the newest version. It is computed, never stored, so that an append cannot leave it outdated. */
export const latest = 'latest'

export function refuseReserved(label: string): void {
  if (label === latest)
    throw invalidField('label', '`latest` always means the newest version; it cannot be set or deleted')
}
