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
