import { type PublicKey, readPublicJwk } from '@tallystick/record/format'
import { UnusableInputError } from '@tallystick/record/verify'
import type { Jwk, TrustedKeys } from './keys.js'

export function readKeys(trusted: TrustedKeys): PublicKey[] {
  try {
    return (isSet(trusted) ? trusted.keys : trusted).map(readPublicJwk)
  } catch (error) {
    throw new UnusableInputError(error instanceof Error ? error.message : String(error))
  }
}

/** An array has a member `keys` too, its method. */
const isSet = (trusted: TrustedKeys): trusted is { readonly keys: readonly Jwk[] } => !Array.isArray(trusted)
