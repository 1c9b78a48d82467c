import { createPublicKey, hash, verify } from 'node:crypto'
import { canonicalize } from '../../json/index.js'

/** A key as it is published in the JWKS. */
export interface PublicJwk {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
  alg: 'EdDSA'
  use: 'sig'
}

/** A key from someone else: only `x` is used, and the id is computed from it. */
export interface UntrustedJwk {
  kty?: unknown
  crv?: unknown
  x?: unknown
}

export interface PublicKey {
  /** RFC 7638 thumbprint. */
  id: string
  /** The 32 bytes of the public key. */
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
  // Buffer.from ignores invalid characters; without this test one key could appear under two ids.
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
