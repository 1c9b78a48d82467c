import { isDigit, isHex, isLetter } from './characters.js'
import { isSeparator } from './pii/digit-groups.js'
import { endsSecretName, isBetween } from './secrets/assignments.js'
import { isTokenCharacter, shortestRun } from './secrets/places.js'

/**
 * What stands in a text, as far as it tells that detectors have nothing to find in it. Each of them looks for something that
 * nearly all texts lack; one look at every character for all of them together takes a third of the time.
 */
export interface Sketch {
  isAscii: boolean
  /** An `@`. */
  at: boolean
  /** Digits that can be a card, an account, a telephone number or an address. */
  number: boolean
  /** Two colons with nothing but what an IPv6 address has between them. */
  colons: boolean
  /** `://`. */
  url: boolean
  /** As many characters in a row as the shortest token has. */
  run: boolean
  /** `--B`, as where a private key begins. */
  opening: boolean
  /** A sign behind what can be the name of a secret. */
  assignment: boolean
}

/** Of longer texts, what is not there hardly ever tells anything. */
export const mostSketchedChars = 16_384

/** In UTF-8, since there everything beyond ASCII is made of bytes that are nothing to a detector. */
const bytes = new Uint8Array(3 * mostSketchedChars + 1)
const encoder = new TextEncoder()
const byteAt = (index: number): number => bytes[index] ?? 0

const at = 0x40
const colon = 0x3a
const equals = 0x3d
const dash = 0x2d
const slash = 0x2f
const dot = 0x2e

const isSpecial = Uint8Array.from({ length: 256 }, (_, code) =>
  isDigit(code) || code === at || code === colon || code === equals || code === dash ? 1 : 0,
)
/** All bits for a character of a token, none for one that ends it. */
const runMask = Int32Array.from({ length: 256 }, (_, code) => (isTokenCharacter(code) ? -1 : 0))

export function drawSketch(text: string): Sketch {
  const { written: length } = encoder.encodeInto(text, bytes)
  // Whoever looks ahead must not take what is left of a text before for the rest of this one.
  bytes[length] = 0
  const sketch: Sketch = {
    isAscii: length === text.length,
    at: false,
    number: false,
    colons: false,
    url: false,
    run: false,
    opening: false,
    assignment: false,
  }
  // Without a branch: where words end cannot be foreseen, and to guess wrong costs more than all the rest.
  let run = 0
  let runBits = 0
  for (let index = 0; index < length; index++) {
    const code = byteAt(index)
    run = (run + 1) & (runMask[code] ?? 0)
    runBits |= run
    if (isSpecial[code] === 1) noteSpecial(sketch, index, code)
  }
  // The bits of all lengths together are no less than the longest, and as it is a power of two, no shorter ones add up to it.
  sketch.run = runBits >= shortestRun
  return sketch
}

function noteSpecial(sketch: Sketch, index: number, code: number): void {
  if (isDigit(code)) sketch.number ||= canBeginNumber(index)
  else if (code === at) sketch.at = true
  else if (code === dash) sketch.opening ||= byteAt(index + 1) === 0x42 && byteAt(index - 1) === dash
  else noteSign(sketch, index, code)
}

function noteSign(sketch: Sketch, index: number, code: number): void {
  sketch.assignment ||= followsSecretName(index)
  if (code !== colon) return
  sketch.url ||= byteAt(index + 1) === slash && byteAt(index + 2) === slash
  let next = index + 1
  while (isHex(byteAt(next)) || byteAt(next) === dot) next++
  sketch.colons ||= byteAt(next) === colon
}

function followsSecretName(sign: number): boolean {
  let last = sign - 1
  while (isBetween(byteAt(last))) last--
  return endsSecretName(byteAt(last - 1), byteAt(last))
}

const fewestDigits = 7

/** Behind a letter, an account; with three dots, an address; everything else has seven digits and more. */
function canBeginNumber(start: number): boolean {
  if (isDigit(byteAt(start - 1))) return false
  if (isLetter(byteAt(start - 1)) && isDigit(byteAt(start + 1))) return true
  let digits = 0
  let dots = 0
  for (let index = start; digits < fewestDigits && dots < 3; index++) {
    const code = byteAt(index)
    if (isDigit(code)) digits++
    else if (!isSeparator(code)) return false
    else if (code === dot) dots++
  }
  return true
}
