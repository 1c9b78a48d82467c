import { fold } from '../detect/fold.js'
import type { Finding } from '../detect/index.js'
import type { TextFinder } from './judge.js'

export interface DetectorBounds {
  /** Nothing that it finds is longer, or depends on text that is further away. */
  reach: number
  /** The same for text that has no invisible characters in it. */
  plainReach?: number
  /** How many places a slice has, beside what must be read before and behind them. */
  stride: number
}

// The slowest texts take 1 µs a character, prose 10 ns.
const atOnce = 12_288

/** A detector that reads whole texts, on slices. */
export function createDetectorFinder(
  detect: (text: string) => Finding[],
  { reach, plainReach = reach, stride }: DetectorBounds,
): TextFinder {
  return {
    atOnce,
    stride,
    find(text, from, to) {
      if (from === 0 && to >= text.length) return detect(text)
      const isPlain =
        plainReach < reach && fold(text.slice(Math.max(0, from - reach), to + reach)).positions === undefined
      const around = isPlain ? plainReach : reach
      const start = Math.max(0, from - around)
      return detect(text.slice(start, to + around)).flatMap((finding) => {
        const moved = { ...finding, start: finding.start + start, end: finding.end + start }
        return moved.start >= from && moved.start < to ? [moved] : []
      })
    },
  }
}

/** Several policies look at the same text one after the other: the second gets what the first one found. */
export function rememberLast(detect: (text: string) => Finding[]): (text: string) => Finding[] {
  let last = ''
  let found: Finding[] = []
  return (text) => {
    if (text !== last) {
      found = detect(text)
      last = text
    }
    return found
  }
}
