import { endOfRun } from '../characters.js'

/** A part of a text that may contain tokens. */
export interface TokenRegion {
  start: number
  end: number
}

/**
 * Every token that is recognized by its form has this many consecutive characters without a space or a quote. The prefilter relies on
 * this being a power of two.
 */
export const minTokenRun = 16

/** The longest label that belongs to such a run: `aws_secret_access_key" : "`, `Authorization: "Bearer `, the `:` of `:AA`. */
const maxLabelLength = 32

/** The characters of the tokens of all vendors. This is a table, because it is the check that runs most often. */
const tokenCharacters = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w+/=%.~-]/.test(String.fromCharCode(code)) ? 1 : 0,
)
export const isTokenCharacter = (code: number): boolean => tokenCharacters[code] === 1

/**
 * Finds the regions in which tokens can be. Prose has few words of 16 letters, so this avoids searching for 150 token prefixes
 * everywhere: without it, `findSecrets` took 2.7 times as long on prose and twice as long on JSON. A run of that length covers one of
 * every 16 characters, so most characters are never read.
 */
export function findTokenRegions(text: string): TokenRegion[] {
  const regions: TokenRegion[] = []
  let doneTo = 0
  let start = 0
  while (start + minTokenRun <= text.length) {
    let at = start + minTokenRun - 1
    while (at >= start && isTokenCharacter(text.charCodeAt(at))) at -= 1
    if (at >= start) {
      start = at + 1
      continue
    }
    const end = endOfRun(text, start + minTokenRun, isTokenCharacter, text.length)
    regions.push({ start: Math.max(doneTo, start - maxLabelLength), end })
    doneTo = end
    start = end + 1
  }
  return regions
}
