import { isSpace } from '../characters.js'
import type { Candidate } from '../finding.js'
import { isDummy } from './secret-values.js'

const maxUserLength = 64
const maxPasswordLength = 128
/** Shorter passwords are examples: `https://a:b@c`. */
const minPasswordLength = 4

/**
 * Finds passwords in URLs: in `postgres://app:password@host/db`, only the password is a secret. If it equals the user
 * (`postgres:postgres`), it is a well-known default.
 */
export function findUrlPasswords(text: string): Candidate[] {
  const found: Candidate[] = []
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const userEnd = endOfPart(text, at + 3, 0x3a, maxUserLength)
    if (userEnd === undefined) continue
    const start = userEnd + 1
    const end = endOfPart(text, start, 0x40, maxPasswordLength)
    if (end === undefined || end - start < minPasswordLength) continue
    const password = text.slice(start, end)
    if (isDummy(password) || password === text.slice(at + 3, userEnd)) continue
    found.push({ start, end, entity: 'secret:url_password' })
  }
  return found
}

/** Returns the position of the character that ends this part of a login; undefined if something else ends the login before it. */
function endOfPart(text: string, from: number, closing: number, maxLength: number): number | undefined {
  for (let index = from; index < text.length && index - from <= maxLength; index++) {
    const code = text.charCodeAt(index)
    if (code === closing) return index
    if (isSpace(code) || endsLogin.has(code)) return undefined
  }
  return undefined
}

const endsLogin = new Set(Array.from('/"<>@?#`:\\', (character) => character.charCodeAt(0)))
