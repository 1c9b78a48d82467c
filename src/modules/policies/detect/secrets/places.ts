import { endOfRun } from '../characters.js'

/** A part of a text that is worth looking through. */
export interface Place {
  start: number
  end: number
}

/**
 * Every token that is told by its form has as many characters in a row, none of them a blank or a quote. A power of two: the
 * sketch of a text relies on it.
 */
export const shortestRun = 16

/** What may stand before those and belong to it: `aws_secret_access_key" : "`, `Authorization: "Bearer `, the `:` of `:AA`. */
const longestLabel = 32

/** Whatever a token of any vendor is made of; a table, for it is asked more often than anything else. */
const tokenCharacters = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w+/=%.~-]/.test(String.fromCharCode(code)) ? 1 : 0,
)
export const isTokenCharacter = (code: number): boolean => tokenCharacters[code] === 1

/**
 * Where tokens can be. Prose has hardly any word of 16 letters, so looking for those first spares looking for 150 beginnings of
 * tokens everywhere. And since a run of that length has one of its characters at every 16th place, most are never looked at.
 */
export function findTokenPlaces(text: string): Place[] {
  const places: Place[] = []
  let done = 0
  let start = 0
  while (start + shortestRun <= text.length) {
    let at = start + shortestRun - 1
    while (at >= start && isTokenCharacter(text.charCodeAt(at))) at -= 1
    if (at >= start) {
      start = at + 1
      continue
    }
    const end = endOfRun(text, start + shortestRun, isTokenCharacter, text.length)
    places.push({ start: Math.max(done, start - longestLabel), end })
    done = end
    start = end + 1
  }
  return places
}
