import { isSpace } from '../characters.js'
import type { Candidate } from '../finding.js'
import { isStandIn } from './strength.js'

const mostUser = 64
const mostPassword = 128
/** `https://a:b@c` is a lesson on URLs. */
const fewestCharacters = 4

/**
 * Passwords in URLs: of `postgres://app:password@host/db` only the password is the secret. One that is the same as the user
 * (`postgres:postgres`) is a default that everyone knows.
 */
export function findUrlPasswords(text: string): Candidate[] {
  const found: Candidate[] = []
  for (let place = text.indexOf('://'); place >= 0; place = text.indexOf('://', place + 3)) {
    const user = endOfPart(text, place + 3, 0x3a, mostUser)
    if (user === undefined) continue
    const start = user + 1
    const end = endOfPart(text, start, 0x40, mostPassword)
    if (end === undefined || end - start < fewestCharacters) continue
    const password = text.slice(start, end)
    if (isStandIn(password) || password === text.slice(place + 3, user)) continue
    found.push({ start, end, entity: 'secret:url_password' })
  }
  return found
}

/** Where a part of a login ends with this character, when nothing before it ends the login as a whole. */
function endOfPart(text: string, from: number, closing: number, most: number): number | undefined {
  for (let index = from; index < text.length && index - from <= most; index++) {
    const code = text.charCodeAt(index)
    if (code === closing) return index
    if (isSpace(code) || endsLogin.has(code)) return undefined
  }
  return undefined
}

const endsLogin = new Set(Array.from('/"<>@?#`:\\', (character) => character.charCodeAt(0)))
