import { describe, expect, test } from 'vitest'
import vector from '../../../../../test/vectors/jwk-thumbprint.json' with { type: 'json' }
import { readPublicJwk } from './public-key.js'

describe('readPublicJwk', () => {
  test('names a key by its RFC 7638 thumbprint', () => {
    const key = readPublicJwk(vector.jwk)
    expect(key.id).toBe(vector.thumbprint)
    expect(key.jwk).toEqual({ ...vector.jwk, kid: vector.thumbprint, alg: 'EdDSA', use: 'sig' })
    expect(key.bytes.toString('base64url')).toBe(vector.jwk.x)
  })

  test('does not believe the kid it is given', () => {
    expect(readPublicJwk({ ...vector.jwk, ...{ kid: 'forged' } }).id).toBe(vector.thumbprint)
  })

  test('verifies the RFC 8032 signature of the empty message, and no other', () => {
    const signature = Buffer.from(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
      'hex',
    )
    const key = readPublicJwk(vector.jwk)
    expect(key.verify(Buffer.alloc(0), signature)).toBe(true)
    expect(key.verify(Buffer.from('x'), signature)).toBe(false)
    expect(key.verify(Buffer.alloc(0), signature.subarray(1))).toBe(false)
  })

  test.each([
    ['another key type', { ...vector.jwk, kty: 'EC' }],
    ['another curve', { ...vector.jwk, crv: 'X25519' }],
    ['no x', { kty: 'OKP', crv: 'Ed25519' }],
    ['an x that is too short', { ...vector.jwk, x: vector.jwk.x.slice(4) }],
    ['a padded x', { ...vector.jwk, x: `${vector.jwk.x}=` }],
    ['a second spelling of the same x', { ...vector.jwk, x: vector.jwk.x.replace(/o$/, 'p') }],
  ])('refuses %s', (_name, jwk) => {
    expect(() => readPublicJwk(jwk)).toThrow(/Ed25519 JWK/)
  })
})
