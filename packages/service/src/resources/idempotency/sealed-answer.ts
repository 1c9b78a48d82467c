import { createCipheriv, createDecipheriv, createHmac, type Hmac, hkdfSync } from 'node:crypto'

const cipher = 'aes-256-gcm'
const tagBytes = 16
// The key serves a single answer, so a constant nonce is never used twice with it.
const nonce = Buffer.alloc(12)

/**
 * The keys that seal and identify one answer. They are derived from the caller's credential and a salt of the
 * answer.
 */
export interface AnswerKeys {
  /** Starts a fingerprint of the request, which recognises the same request. */
  startFingerprint(): Hmac
  seal(plain: string | Uint8Array): Buffer
  /** Throws when the sealed answer was changed. */
  open(sealed: Buffer): Buffer
}

/**
 * Nothing that the service stores can decrypt it: not the database, a backup, or a master key. The value of a
 * generated key has 202 random bits, so it cannot be guessed.
 */
export function deriveAnswerKeys(credential: string, idempotencyKey: string, salt: Buffer): AnswerKeys {
  const info = `tallystick idempotent answer\n${idempotencyKey}`
  const bytes = Buffer.from(hkdfSync('sha256', credential, salt, info, 64))
  const sealingKey = bytes.subarray(0, 32)
  const fingerprintKey = bytes.subarray(32)
  return {
    startFingerprint: () => createHmac('sha256', fingerprintKey),
    seal(plain) {
      const sealing = createCipheriv(cipher, sealingKey, nonce)
      return Buffer.concat([sealing.update(plain), sealing.final(), sealing.getAuthTag()])
    },
    open(sealed) {
      const opening = createDecipheriv(cipher, sealingKey, nonce, { authTagLength: tagBytes })
      opening.setAuthTag(sealed.subarray(-tagBytes))
      return Buffer.concat([opening.update(sealed.subarray(0, -tagBytes)), opening.final()])
    },
  }
}
