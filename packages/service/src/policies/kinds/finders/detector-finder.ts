import { asPlain, type FoldedText, fold } from '../../detect/fold.js'
import type { Finding } from '../../detect/index.js'
import type { TextFinder } from '../judge.js'

interface DetectorOptions {
  mayFind: Required<TextFinder>['mayFind']
  /** No finding is longer than this or depends on text that is further away. */
  reach: number
}

/**
 * The slowest known texts take 0.5 µs per character, prose takes 10 ns. A slice of the slowest, with its surroundings, takes 10 ms.
 */
const sliceChars = 16_384

/** Runs a detector, which reads whole texts, on slices of a text. Together they give the findings of the whole text. */
export function createDetectorFinder(
  detect: (text: string, folded: FoldedText) => Finding[],
  { reach, mayFind }: DetectorOptions,
): TextFinder {
  return {
    maxWholeChars: sliceChars,
    strideChars: sliceChars,
    mayFind,
    find(text, from, to, isPlain = false) {
      const toFolded = isPlain ? asPlain : fold
      if (from === 0 && to >= text.length) return detect(text, toFolded(text))
      const offset = Math.max(0, from - reach)
      const slice = text.slice(offset, to + reach)
      return detect(slice, toFolded(slice)).flatMap((finding) => {
        const start = finding.start + offset
        return start >= from && start < to ? [{ ...finding, start, end: finding.end + offset }] : []
      })
    },
  }
}
