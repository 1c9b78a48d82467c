import { type PublicKey, readPublicJwk, type UntrustedJwk } from '../../format/signing/public-key.js'

/** The keys that the user trusts. */
export interface TrustedKeys {
  /** False when the user named no keys. The keys that an export lists are then trusted, and the verdict says so. */
  areGiven: boolean
  /** Keys that were given as files. */
  keys: readonly PublicKey[]
  /** The keys given as files, and those that an export lists and the user named by thumbprint. */
  choose(listed: readonly PublicKey[]): readonly PublicKey[]
}

/** `ids` are thumbprints of keys that an export lists. */
export function trustKeys(keys: readonly PublicKey[], ids: ReadonlySet<string> = new Set()): TrustedKeys {
  const areGiven = keys.length + ids.size > 0
  return {
    areGiven,
    keys,
    choose: (listed) => (areGiven ? [...keys, ...listed.filter((key) => ids.has(key.id))] : listed),
  }
}

/** Reads the keys of a JWKS, or the key of a JWK. Throws for any other text. */
export function readJwks(value: UntrustedJwk & { keys?: unknown }): PublicKey[] {
  const jwks: UntrustedJwk[] = Array.isArray(value.keys) ? value.keys : [value]
  return jwks.map(readPublicJwk)
}
