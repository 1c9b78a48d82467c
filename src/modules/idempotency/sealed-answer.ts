import { createCipheriv, createDecipheriv, createHmac, type Hmac, hkdfSync } from 'node:crypto'

const cipher = 'aes-256-gcm'
const tagBytes = 16
// The key serves one answer, so that a constant nonce is never used twice under it.
const nonce = Buffer.alloc(12)

/** What one answer is sealed and recognised with. Made of what the caller presents, and a salt of the answer's own. */
export interface AnswerKeys {
  /** The request goes into it; what comes out recognises the same request. */
  startFingerprint(): Hmac
  seal(plain: string | Uint8Array): Buffer
  /** Throws when it was changed. */
  open(sealed: Buffer): Buffer
}

/**
 * Nothing of ours can open it: not the database, not a backup of it, not a master key. The value of a key that we made has 202
 * random bits, so there is nothing to guess.
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
