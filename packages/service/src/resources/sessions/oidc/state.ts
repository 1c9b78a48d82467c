import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { OidcChecks } from './client.js'

/**
 * A sign-in in progress, kept in a cookie of the browser that began it: no other browser can complete it, and any
 * replica can.
 */
export interface SignInUnderWay extends OidcChecks {
  next: string
  startedAtMs: number
}

export interface SignInSeals {
  seal(underWay: SignInUnderWay): string
  /** Returns null for a text that was not sealed here, or that has expired. */
  open(text: string): SignInUnderWay | null
}

export const maxSignInMs = 10 * 60_000

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Sealed rather than only signed: anyone who saw the verifier could use an intercepted code. */
export function createSignInSeals(secret: Buffer): SignInSeals {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tallystick sign-in under way', 32))
  return {
    seal(underWay) {
      const nonce = randomBytes(nonceBytes)
      const sealing = createCipheriv(cipher, key, nonce)
      const sealed = [sealing.update(JSON.stringify(underWay)), sealing.final(), sealing.getAuthTag()]
      return Buffer.concat([nonce, ...sealed]).toString('base64url')
    },
    open(text) {
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return null
      try {
        const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
        opening.setAuthTag(bytes.subarray(-tagBytes))
        const plain = Buffer.concat([opening.update(bytes.subarray(nonceBytes, -tagBytes)), opening.final()])
        const underWay: SignInUnderWay = JSON.parse(plain.toString())
        return underWay.startedAtMs + maxSignInMs > Date.now() ? underWay : null
      } catch {
        return null
      }
    },
  }
}

/** Returns a path of the console, never one that a browser could interpret as another site. */
export function localPath(next: string | undefined): string {
  const here = 'http://here.invalid'
  if (next === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next) || !URL.canParse(next, here)) return '/'
  const { origin, pathname, search, hash } = new URL(next, here)
  return origin === here && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/'
}
