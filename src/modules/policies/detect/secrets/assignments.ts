import { isSpace } from '../characters.js'
import type { Candidate } from '../finding.js'
import { isStandIn, isStrong } from './strength.js'

const names =
  /(?:(password|passwd|passphrase|pwd)|secret|token|(?:api|access|secret|private|encryption|signing|auth|master|account)[_-]?key|client[_-]?secret)["'`\]]?\s{0,3}$/i
const longestName = 24

/** A value in quotes, or one that runs to a space or to the end of a list or block. */
const value =
  /[=>]?\s{0,3}(?:(["'`])([^\s"'`\\]{8,128})\1|([^\s"'`,;&<>(){}[\]\\]{8,128})(?=[\s"'`,;&)}\]]|$))/y

// `test` and not `exec`: of most signs nothing is needed but where they stand.
const signs = /[:=]/g

/** Values given to a name that says secret, where the value is one that a person or a generator would choose as such. */
export function findAssignments(text: string): Candidate[] {
  const found: Candidate[] = []
  signs.lastIndex = 0
  while (signs.test(text)) {
    const behind = signs.lastIndex
    const name = findName(text, behind - 1)
    if (name === undefined) continue
    value.lastIndex = behind
    const match = value.exec(text)
    if (match === null) continue
    const secret = match[2] ?? match[3] ?? ''
    const end = behind + match[0].length - (match[1]?.length ?? 0)
    const fetched = match[1] === undefined && isReference(secret)
    if (fetched || isStandIn(secret)) continue
    if (isStrong(secret) || (name.password && isChosen(secret))) {
      found.push({ start: end - secret.length, end, entity: 'secret:password' })
    }
  }
  return found
}

/** `Summer2024`: a word and a number, as people choose passwords; of a token it would be a name. */
const isChosen = (value: string): boolean => /^[A-Z][a-z]{3,12}\d{1,4}$/.test(value)

/** `config.accessKey2`, `ed25519.PrivateKey`: code that says where the value comes from, or of what type it is. */
const isReference = (value: string): boolean => /^[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+$/.test(value)

/**
 * What stands before this sign, when it is the name of a secret. The last letters are looked at first: JSON has a colon every
 * few characters, and hardly one stands behind such a name.
 */
function findName(text: string, sign: number): { password: boolean } | undefined {
  let last = sign - 1
  while (sign - last < 5 && isBetween(text.charCodeAt(last))) last -= 1
  if (!endsSecretName(text.charCodeAt(last - 1), text.charCodeAt(last))) return undefined
  const match = names.exec(text.slice(Math.max(0, sign - longestName), sign))
  return match === null ? undefined : { password: match[1] !== undefined }
}

/** What can stand between a name and its sign. */
export const isBetween = (code: number): boolean =>
  isSpace(code) || code === 0x22 || code === 0x27 || code === 0x60 || code === 0x5d

/** The letters that one of the names ends with: `rd`, `wd`, `se`, `et`, `en`, `ey`, small or capital. */
export function endsSecretName(before: number, last: number): boolean {
  const first = before | 0x20
  switch (last | 0x20) {
    case 0x64:
      return first === 0x72 || first === 0x77
    case 0x65:
      return first === 0x73
    case 0x6e:
    case 0x74:
    case 0x79:
      return first === 0x65
    default:
      return false
  }
}
