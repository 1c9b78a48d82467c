import type { Candidate } from '../finding.js'
import { looksSecret } from './secret-values.js'
import type { TokenRegion } from './token-regions.js'

const scheme =
  /(?:authorization["']?\s{0,2}[:=]\s{0,2}["']?(basic|bearer|token)|bearer)\s([\w.~+/-]{16,256}={0,2})/iy

/** Finds what follows `Authorization: Basic` and decodes to a login, or follows `Bearer` and looks like a token. */
export function findAuthorizations(text: string, regions: readonly TokenRegion[]): Candidate[] {
  const found: Candidate[] = []
  for (const { start, end } of regions) {
    for (const word of text.slice(start, end).matchAll(words)) {
      const candidate = matchAuthorization(text, start + word.index)
      if (candidate !== undefined) found.push(candidate)
    }
  }
  return found
}

const words = /authorization|bearer/gi

function matchAuthorization(text: string, start: number): Candidate | undefined {
  scheme.lastIndex = start
  const match = scheme.exec(text)
  const token = match?.[2]
  if (match === null || token === undefined) return undefined
  const basic = match[1]?.toLowerCase() === 'basic'
  if (!(basic ? isLogin(token) : looksSecret(token))) return undefined
  const end = start + match[0].length
  return { start: end - token.length, end, entity: basic ? 'secret:basic_auth' : 'secret:bearer_token' }
}

const isLogin = (token: string): boolean =>
  /^[\x20-\x39\x3b-\x7e]{1,64}:[\x20-\x7e]{1,128}$/.test(Buffer.from(token, 'base64').toString('latin1'))
