import { type Finding, reach } from '../detect/index.js'
import type { TextFinder } from './judge.js'

// 28 ns a character: 5 ms with what must be read before and behind.
const stride = 65_536

/** A detector that reads whole texts, on slices: what it finds depends on nothing further away than its reach. */
export function createDetectorFinder(detect: (text: string) => Finding[]): TextFinder {
  return {
    stride,
    find(text, from, to) {
      if (from === 0 && to >= text.length) return detect(text)
      const start = Math.max(0, from - reach)
      return detect(text.slice(start, to + reach)).flatMap((finding) => {
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
