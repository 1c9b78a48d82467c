/** What people write where a secret would stand. */
const standIns = /your|placeholder|redacted|dummy|example_|insert|changeme|\.\.\.|x{5}|X{5}|\*{4}/

/** Whether a token can have come out of a generator, not out of the hands of someone who wrote documentation. */
export function looksRandom(token: string): boolean {
  return (
    new Set(token).size >= Math.min(9, token.length / 3) && !hasLongRepeat(token) && !standIns.test(token)
  )
}

/** Six times the same character in a row: `000000`, `xxxxxx`. */
function hasLongRepeat(token: string): boolean {
  let run = 1
  for (let index = 1; index < token.length; index++) {
    run = token.charCodeAt(index) === token.charCodeAt(index - 1) ? run + 1 : 1
    if (run === 6) return true
  }
  return false
}

const longestWord = 18

const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w.:/-]/]

/**
 * Whether a value of which nothing is known but that it is called a secret looks like one: three kinds of characters, or a
 * long mix of letters and digits. Names, paths and expressions, which stand in the same place, do not.
 */
export function isStrong(value: string): boolean {
  if (/^[$%{<@&]|[(){}]|:\/\//.test(value) || isPath(value) || isName(value) || !looksRandom(value))
    return false
  const present = kinds.filter((kind) => kind.test(value)).length
  const digits = value.replace(/\D/g, '').length
  if (present >= 3) return true
  return value.length >= 20 && present >= 2 && digits >= value.length / 8 && /^[\w+/=.-]+$/.test(value)
}

const isPath = (value: string): boolean => /^[.~]{0,2}\//.test(value) || /\/[\w.-]+\.[a-z]{2,5}$/.test(value)

/**
 * Words joined by hyphens, dots, underscores or capitals, with a number here and there: `my-app-secret-v2`, `config.accessKey`,
 * `Ed25519PrivateKey`. Random letters change case and turn to digits every two or three; words do not.
 */
export function isName(value: string): boolean {
  // A digit for a letter, as in `Passw0rd`, is no name's.
  if (!/^[\w$.:?-]+$/.test(value) || /[a-z]\d[a-z]/.test(value)) return false
  const words = value.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []
  const letters = words.join('').length
  const digits = value.replace(/\D/g, '').length
  const spoken = words.length > 0 && words.every((word) => word.length <= longestWord)
  return spoken && letters / words.length >= 3 && digits <= (letters * 2) / 3
}

/** A value that only shows where one would go, as documentation has it. */
export const isStandIn = (value: string): boolean =>
  /^(?:pass(?:word|wd)?|pwd|pw|secret|token|x+|\*+|\.+|your.*|my.*password|change.?me|redacted|hidden|example|[$%{[<:].*)$/i.test(
    value,
  )
