// Finds positions in a JSON text that is known to be valid.

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

export function skipSpace(json: string, from: number): number {
  let at = from
  while (json.charCodeAt(at) <= 0x20) at++
  return at
}

/** Returns the position after the string that starts at `from`. Searches for quotes, so a long string costs little. */
export function endOfString(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0
    while (json.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end + 1
  }
  return json.length
}

/** Returns the position after the value that starts at `from`. */
export function endOfValue(json: string, from: number): number {
  let depth = 0
  for (let at = from; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case quote:
        at = endOfString(json, at) - 1
        if (depth === 0) return at + 1
        break
      case openBrace:
      case openBracket:
        depth++
        break
      case closeBrace:
      case closeBracket:
        if (depth === 0) return endOfScalar(json, from, at)
        if (--depth === 0) return at + 1
        break
      case comma:
        if (depth === 0) return endOfScalar(json, from, at)
        break
      default:
    }
  }
  return json.length
}

/** Returns the end of a number or literal, without the whitespace that may precede the comma or bracket at `before`. */
function endOfScalar(json: string, from: number, before: number): number {
  let end = before
  while (end > from && json.charCodeAt(end - 1) <= 0x20) end--
  return end
}
