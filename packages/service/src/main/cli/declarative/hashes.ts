import { createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import { textOf } from './json.js'

/** Recognises a value that anybody who may read the hash may also read. */
export const hashValue = (value: unknown): string =>
  createHash('sha256').update(textOf(value)).digest('hex').slice(0, 32)

const fingerprintBytes = 24
const derive = (secret: string, salt: Buffer): Buffer =>
  scryptSync(secret, salt, fingerprintBytes, { N: 16_384, r: 8, p: 1 })

/** Recognises a secret. The salt and the cost of scrypt keep a reader of the fingerprint from guessing it. */
export function fingerprintSecret(secret: string): string {
  const salt = randomBytes(16)
  return `scrypt:${salt.toString('base64url')}:${derive(secret, salt).toString('base64url')}`
}

export function isFingerprintOf(fingerprint: string | undefined, secret: string): boolean {
  const [scheme, salt, hash] = fingerprint?.split(':') ?? []
  if (scheme !== 'scrypt' || !salt || !hash) return false
  const expected = Buffer.from(hash, 'base64url')
  const actual = derive(secret, Buffer.from(salt, 'base64url'))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
