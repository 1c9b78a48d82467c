import { createPublicKey, hash, verify } from 'node:crypto'
import { canonicalize } from './canonical.js'

/** What is published in the JWKS. */
export interface PublicJwk {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
  alg: 'EdDSA'
  use: 'sig'
}

/** A key as a stranger hands it in: nothing in it is believed but `x`, and the id is computed anew. */
export interface UntrustedJwk {
  kty?: unknown
  crv?: unknown
  x?: unknown
}

export interface PublicKey {
  /** RFC 7638 thumbprint. */
  id: string
  /** The 32 bytes of the key itself. */
  bytes: Buffer
  jwk: PublicJwk
  verify(message: Uint8Array, signature: Uint8Array): boolean
}

export const PUBLIC_KEY_BYTES = 32

export function readPublicJwk({ kty, crv, x }: UntrustedJwk): PublicKey {
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') {
    throw new Error('A key of the record must be an Ed25519 JWK: kty "OKP", crv "Ed25519", x')
  }
  const bytes = Buffer.from(x, 'base64url')
  // The decoder skips what it does not know; the same key must not be able to appear under two ids.
  if (bytes.length !== PUBLIC_KEY_BYTES || bytes.toString('base64url') !== x) {
    throw new Error(`The x of an Ed25519 JWK must be ${PUBLIC_KEY_BYTES} bytes in base64url without padding`)
  }
  const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  const id = hash('sha256', canonicalize({ crv, kty, x }), 'base64url')
  return {
    id,
    bytes,
    jwk: { kty, crv, x, kid: id, alg: 'EdDSA', use: 'sig' },
    verify: (message, signature) => verify(null, message, key, signature),
  }
}
