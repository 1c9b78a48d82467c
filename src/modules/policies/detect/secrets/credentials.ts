import { isSpace } from '../characters.js'
import type { Candidate } from '../finding.js'
import { looksRandom } from './randomness.js'

const mostUser = 64
const mostPassword = 128

/** Passwords in URLs: `postgres://app:password@host/db`. Only the password is the secret. */
export function findUrlPasswords(text: string): Candidate[] {
  const found: Candidate[] = []
  for (let place = text.indexOf('://'); place >= 0; place = text.indexOf('://', place + 3)) {
    const userEnd = scanTo(text, place + 3, 0x3a, mostUser)
    if (userEnd === undefined) continue
    const start = userEnd + 1
    const end = scanTo(text, start, 0x40, mostPassword)
    if (end === undefined || end === start) continue
    const password = text.slice(start, end)
    if (!isStandIn(password) && password !== text.slice(place + 3, userEnd)) {
      found.push({ start, end, entity: 'secret:url_password' })
    }
  }
  return found
}

/** The place of a character, when only what may stand in a login comes before it. */
function scanTo(text: string, from: number, wanted: number, most: number): number | undefined {
  for (let index = from; index < text.length && index - from <= most; index++) {
    const code = text.charCodeAt(index)
    if (code === wanted) return index
    if (isSpace(code) || code === 0x2f || code === 0x22 || code === 0x3c || code === 0x3e || code === 0x40)
      return undefined
    if (code === 0x3f || code === 0x23 || code === 0x60) return undefined
  }
  return undefined
}

const standIn =
  /^(?:pass(?:word|wd)?|pwd|pw|secret|token|x+|\*+|\.+|your.*|my.*password|change.?me|redacted|hidden|example|\$.*|%.*|\{.*|\[.*|<.*|:.*)$/i

const isStandIn = (value: string): boolean => standIn.test(value)

const names =
  /(?:password|passwd|passphrase|pwd|secret|(?:api|access|secret|private|encryption|signing|auth|master|account)[_-]?key|(?:auth|access|api|bearer|refresh|session|secret)[_-]?token|client[_-]?secret)["'`\]]?\s{0,3}$/i
const lastLetters = new Set(['d', 'e', 't', 'y', 'n', 'D', 'E', 'T', 'Y', 'N'])

/** Values given to a name that says secret, where the value is one that a person or a generator would choose as such. */
export function findAssignments(text: string): Candidate[] {
  const found: Candidate[] = []
  const delimiters = /[:=]/g
  for (let hit = delimiters.exec(text); hit !== null; hit = delimiters.exec(text)) {
    const place = hit.index
    if (!isNamedSecret(text, place)) continue
    const candidate = readValue(text, place + 1)
    if (candidate !== undefined) found.push(candidate)
  }
  return found
}

function isNamedSecret(text: string, place: number): boolean {
  let index = place - 1
  while (index >= 0 && place - index < 5 && /[\s"'`\]]/.test(text.charAt(index))) index -= 1
  if (!lastLetters.has(text.charAt(index))) return false
  return names.test(text.slice(Math.max(0, place - 24), place))
}

const value =
  /[=>]?\s{0,3}(?:(["'`])([^\s"'`\\]{8,128})\1|([^\s"'`,;<>(){}[\]\\]{8,128})(?=[\s"'`,;)}\]]|$))/y

function readValue(text: string, from: number): Candidate | undefined {
  value.lastIndex = from
  const match = value.exec(text)
  if (match === null) return undefined
  const secret = match[2] ?? match[3] ?? ''
  const end = from + match[0].length - (match[2] === undefined ? 0 : 1)
  const strong = match[2] === undefined ? isStrong(secret) && !isReference(secret) : isStrong(secret)
  if (!strong || isStandIn(secret) || !looksRandom(secret)) return undefined
  return { start: end - secret.length, end, entity: 'secret:password' }
}

/** Three kinds of characters, or a long mix of letters and digits as generators make it. Hyphens and dots part words. */
function isStrong(secret: string): boolean {
  if (secret.includes('://') || secret.startsWith('/') || /^[$%{<@&]/.test(secret) || /[(){}]/.test(secret))
    return false
  const digits = secret.replace(/\D/g, '').length
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w.:/-]/].filter((kind) => kind.test(secret)).length
  if (kinds >= 3 && (digits > 0 || /[^\w.:/-]/.test(secret)))
    return !/^[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d?$/.test(secret)
  return secret.length >= 20 && digits >= secret.length / 8 && kinds >= 2 && /^[\w+/=.-]+$/.test(secret)
}

/** `config.password2`, `settings["…`: code that fetches the value from elsewhere. */
const isReference = (value: string): boolean => /^[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+$/.test(value)

const scheme =
  /\b(?:authorization["']?\s{0,2}[:=]\s{0,2}["']?(basic|bearer|token)|(bearer))\s([\w.~+/-]{16,512}={0,2})/giy

/** `Authorization: Basic …` that decodes to a login, `Bearer …` with a token. */
export function findAuthorizations(text: string): Candidate[] {
  const found: Candidate[] = []
  const words = /authorization|bearer/gi
  for (let hit = words.exec(text); hit !== null; hit = words.exec(text)) {
    scheme.lastIndex = hit.index
    const match = scheme.exec(text)
    const token = match?.[3]
    if (match === null || token === undefined) continue
    const end = hit.index + match[0].length
    const basic = match[1]?.toLowerCase() === 'basic'
    if (basic ? !isLogin(token) : !(isStrong(token) && looksRandom(token) && !isReference(token))) continue
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
