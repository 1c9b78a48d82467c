import { invalidField } from '../../errors.js'

export const labelPattern = '^[a-z0-9][a-z0-9._-]{0,63}$'

/** Always means the newest version. It is worked out, never stored: no append can leave it behind. */
export const latest = 'latest'

export function refuseReserved(label: string): void {
  if (label === latest)
    throw invalidField('label', '`latest` always means the newest version; it cannot be set or deleted')
}
