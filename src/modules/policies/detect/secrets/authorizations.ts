import type { Candidate } from '../finding.js'
import type { Place } from './places.js'
import { isStrong } from './strength.js'

const scheme =
  /(?:authorization["']?\s{0,2}[:=]\s{0,2}["']?(basic|bearer|token)|bearer)\s([\w.~+/-]{16,256}={0,2})/iy

/** What follows `Authorization: Basic` and decodes to a login, or follows `Bearer` and looks like a token. */
export function findAuthorizations(text: string, places: readonly Place[]): Candidate[] {
  const found: Candidate[] = []
  for (const { start, end } of places) {
    for (const word of text.slice(start, end).matchAll(words)) {
      const candidate = matchAuthorization(text, start + word.index)
      if (candidate !== undefined) found.push(candidate)
    }
  }
  return found
}

const words = /authorization|bearer/gi

function matchAuthorization(text: string, place: number): Candidate | undefined {
  scheme.lastIndex = place
  const match = scheme.exec(text)
  const token = match?.[2]
  if (match === null || token === undefined) return undefined
  const basic = match[1]?.toLowerCase() === 'basic'
  if (!(basic ? isLogin(token) : isStrong(token))) return undefined
  const end = place + match[0].length
  return { start: end - token.length, end, entity: basic ? 'secret:basic_auth' : 'secret:bearer_token' }
}

const isLogin = (token: string): boolean =>
  /^[\x20-\x39\x3b-\x7e]{1,64}:[\x20-\x7e]{1,128}$/.test(Buffer.from(token, 'base64').toString('latin1'))
