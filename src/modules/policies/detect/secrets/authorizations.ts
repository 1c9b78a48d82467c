import type { Candidate } from '../finding.js'
import { isStrong } from './strength.js'

const scheme =
  /(?:authorization["']?\s{0,2}[:=]\s{0,2}["']?(basic|bearer|token)|bearer)\s([\w.~+/-]{16,256}={0,2})/iy

/** What follows `Authorization: Basic` and decodes to a login, or follows `Bearer` and looks like a token. */
export function findAuthorizations(text: string): Candidate[] {
  const found: Candidate[] = []
  const words = /authorization|bearer/gi
  for (let word = words.exec(text); word !== null; word = words.exec(text)) {
    scheme.lastIndex = word.index
    const match = scheme.exec(text)
    const token = match?.[2]
    if (match === null || token === undefined) continue
    const basic = match[1]?.toLowerCase() === 'basic'
    if (!(basic ? isLogin(token) : isStrong(token))) continue
    const end = word.index + match[0].length
    found.push({
      start: end - token.length,
      end,
      entity: basic ? 'secret:basic_auth' : 'secret:bearer_token',
    })
  }
  return found
}

const isLogin = (token: string): boolean =>
  /^[\x20-\x39\x3b-\x7e]{1,64}:[\x20-\x7e]{1,128}$/.test(Buffer.from(token, 'base64').toString('latin1'))
