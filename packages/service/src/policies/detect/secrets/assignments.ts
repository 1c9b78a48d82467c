import { isSpace } from '../characters.js'
import type { Candidate } from '../finding.js'
import { isDummy, looksSecret } from './secret-values.js'

const names =
  /(?:(password|passwd|passphrase|pwd)|secret|token|(?:api|access|secret|private|encryption|signing|auth|master|account)[_-]?key|client[_-]?secret)["'`\]]?\s{0,3}$/i
const maxNameLength = 24

/** Matches a value in quotes, or one that ends at a space or at the end of a list or block. */
const value =
  /[=>]?\s{0,3}(?:(["'`])([^\s"'`\\]{8,128})\1|([^\s"'`,;&<>(){}[\]\\]{8,128})(?=[\s"'`,;&)}\]]|$))/y

// Used with `test`, not `exec`, which would allocate a match for every sign.
const signs = /[:=]/g

/** Finds values that are assigned to the name of a secret, if a person or a generator would choose such a value as a secret. */
export function findAssignments(text: string): Candidate[] {
  const found: Candidate[] = []
  signs.lastIndex = 0
  while (signs.test(text)) {
    const afterSign = signs.lastIndex
    const name = findName(text, afterSign - 1)
    if (name === undefined) continue
    value.lastIndex = afterSign
    const match = value.exec(text)
    if (match === null) continue
    const secret = match[2] ?? match[3] ?? ''
    const end = afterSign + match[0].length - (match[1]?.length ?? 0)
    const isCode = match[1] === undefined && isReference(secret)
    if (isCode || isDummy(secret)) continue
    if (looksSecret(secret) || (name.isPassword && isWordAndNumber(secret))) {
      found.push({ start: end - secret.length, end, entity: 'secret:password' })
    }
  }
  return found
}

/** True for a word and a number, such as `Summer2024`, which people choose as a password. A token would not look like that. */
const isWordAndNumber = (value: string): boolean => /^[A-Z][a-z]{3,12}\d{1,4}$/.test(value)

/** True for code that names the source or the type of a value, such as `config.accessKey2` and `ed25519.PrivateKey`. */
const isReference = (value: string): boolean => /^[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+$/.test(value)

/**
 * Returns the name before this sign, if it is the name of a secret. The last letters are checked first: JSON has a colon every few
 * characters, but rarely after such a name. Without this check, `findSecrets` took 1.65 times as long on JSON.
 */
function findName(text: string, sign: number): { isPassword: boolean } | undefined {
  let last = sign - 1
  while (sign - last < 5 && isBetweenNameAndSign(text.charCodeAt(last))) last -= 1
  if (!endsSecretName(text.charCodeAt(last - 1), text.charCodeAt(last))) return undefined
  const match = names.exec(text.slice(Math.max(0, sign - maxNameLength), sign))
  return match === null ? undefined : { isPassword: match[1] !== undefined }
}

/** True for the characters between a name and its sign. */
export const isBetweenNameAndSign = (code: number): boolean =>
  isSpace(code) || code === 0x22 || code === 0x27 || code === 0x60 || code === 0x5d

/** True when these are the last letters of one of the names: `rd`, `wd`, `se`, `et`, `en`, `ey`, in any case. */
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
