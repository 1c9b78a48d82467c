import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { isObject, type JsonObject, parseObject } from '@tallystick/record/json'

/**
 * A session of a caller that began with `initialize`. The token contains all of it, so that any replica can read
 * it.
 */
export interface CallerSession {
  id: string
  tenantId: string
  keyId: string
  /** The server of the path that it began on; null for all servers. */
  server: string | null
  protocolVersion: string
  /** The capabilities that the caller declared. */
  capabilities: JsonObject
  startedAtMs: number
}

export interface SessionTokens {
  seal(session: CallerSession): string
  /** Returns null for a token that was not sealed here, or that has expired. */
  open(token: string): CallerSession | null
  /** Returns an id for a question to the caller. Replies to other ids are refused without reading the database. */
  newQuestion(session: Pick<CallerSession, 'id'>): string
  isQuestion(session: Pick<CallerSession, 'id'>, id: string): boolean
}

export const maxSessionMs = 24 * 3_600_000

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
// The token is a header: Node allows 16 KiB for all of them together.
const maxTokenLength = 8_192
const questionForm = /^ask-([\w-]{16})-([\w-]{22})$/

/** `secret` is the same on all replicas. */
export function createSessionTokens(secret: Buffer, now: () => number = Date.now): SessionTokens {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  const key = derive('tallystick session of a caller of tools')
  const questionKey = derive('tallystick question to a caller of tools')
  const macOf = (sessionId: string, nonce: string) =>
    createHmac('sha256', questionKey).update(`${sessionId} ${nonce}`).digest().subarray(0, 16)
  return {
    seal(session) {
      const nonce = randomBytes(nonceBytes)
      const sealing = createCipheriv(cipher, key, nonce)
      const sealed = [sealing.update(JSON.stringify(session)), sealing.final(), sealing.getAuthTag()]
      return Buffer.concat([nonce, ...sealed]).toString('base64url')
    },
    open(token) {
      if (token.length > maxTokenLength) return null
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return null
      const session = readSession(decrypt(key, bytes))
      return session !== null && session.startedAtMs + maxSessionMs > now() ? session : null
    },
    newQuestion({ id }) {
      const nonce = randomBytes(12).toString('base64url')
      return `ask-${nonce}-${macOf(id, nonce).toString('base64url')}`
    },
    isQuestion({ id }, question) {
      const [, nonce, mac] = questionForm.exec(question) ?? []
      if (nonce === undefined || mac === undefined) return false
      return timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(id, nonce))
    },
  }
}

function decrypt(key: Buffer, bytes: Buffer): string {
  try {
    const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    opening.setAuthTag(bytes.subarray(-tagBytes))
    const plain = [opening.update(bytes.subarray(nonceBytes, -tagBytes)), opening.final()]
    return Buffer.concat(plain).toString()
  } catch {
    return ''
  }
}

function readSession(text: string): CallerSession | null {
  const value = parseObject(text)
  if (value === null) return null
  const { id, tenantId, keyId, server, protocolVersion, capabilities, startedAtMs } = value
  const isComplete =
    typeof id === 'string' &&
    typeof tenantId === 'string' &&
    typeof keyId === 'string' &&
    (server === null || typeof server === 'string') &&
    typeof protocolVersion === 'string' &&
    isObject(capabilities) &&
    typeof startedAtMs === 'number'
  return isComplete ? { id, tenantId, keyId, server, protocolVersion, capabilities, startedAtMs } : null
}
