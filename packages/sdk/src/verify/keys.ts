export interface Jwk {
  kty?: unknown
  crv?: unknown
  x?: unknown
}

/** Public keys of the record: what `getSigningKeys()` returns, or some of these keys. */
export type TrustedKeys = { readonly keys: readonly Jwk[] } | readonly Jwk[]
