/** What people write in place of a secret. */
const dummyParts = /your|placeholder|redacted|dummy|example_|insert|changeme|\.\.\.|x{5}|X{5}|\*{4}/

/** True when a token can come from a generator instead of documentation. */
export function looksRandom(token: string): boolean {
  return (
    new Set(token).size >= Math.min(9, token.length / 3) && !hasLongRepeat(token) && !dummyParts.test(token)
  )
}

/** True when a character occurs six times in a row: `000000`, `xxxxxx`. */
function hasLongRepeat(token: string): boolean {
  let run = 1
  for (let index = 1; index < token.length; index++) {
    run = token.charCodeAt(index) === token.charCodeAt(index - 1) ? run + 1 : 1
    if (run === 6) return true
  }
  return false
}

const maxWordLength = 18

const characterKinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w.:/-]/]

/**
 * True when a value that is assigned to the name of a secret looks like one: it has three kinds of characters, or is a long mix of
 * letters and digits. Names, paths and expressions, which occur in the same position, do not look like that.
 */
export function looksSecret(value: string): boolean {
  if (/^[$%{<@&]|[(){}]|:\/\//.test(value) || isPath(value) || looksLikeName(value) || !looksRandom(value))
    return false
  const present = characterKinds.filter((kind) => kind.test(value)).length
  const digits = value.replace(/\D/g, '').length
  if (present >= 3) return true
  return value.length >= 20 && present >= 2 && digits >= value.length / 8 && /^[\w+/=.-]+$/.test(value)
}

const isPath = (value: string): boolean => /^[.~]{0,2}\//.test(value) || /\/[\w.-]+\.[a-z]{2,5}$/.test(value)

/**
 * True for words joined by hyphens, dots, underscores or capitals, with a few numbers: `my-app-secret-v2`, `config.accessKey`,
 * `Ed25519PrivateKey`. Random characters change between cases and digits every two or three characters; words do not.
 */
export function looksLikeName(value: string): boolean {
  // Names have no digit in place of a letter, as `Passw0rd` has.
  if (!/^[\w$.:?-]+$/.test(value) || /[a-z]\d[a-z]/.test(value)) return false
  const words = value.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []
  const letters = words.join('').length
  const digits = value.replace(/\D/g, '').length
  const hasWords = words.length > 0 && words.every((word) => word.length <= maxWordLength)
  return hasWords && letters / words.length >= 3 && digits <= (letters * 2) / 3
}

/** True for a value that only marks the position of a real one, as in documentation. */
export const isDummy = (value: string): boolean =>
  /^(?:pass(?:word|wd)?|pwd|pw|secret|token|x+|\*+|\.+|your.*|my.*password|change.?me|redacted|hidden|example|[$%{[<:].*)$/i.test(
    value,
  )
