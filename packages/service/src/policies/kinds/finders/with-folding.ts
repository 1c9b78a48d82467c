import { fold, unfold } from '../../detect/fold.js'
import type { TextFinder } from '../judge.js'

/**
 * Lets a finder also search the folded text, without invisible characters and with full-width letters as plain ones: a word
 * with a zero-width space in it is the same to a reader, and to most models. `reach` is how long such a finding may be.
 */
export function withFolding(finder: TextFinder, reach: number): TextFinder {
  return {
    maxWholeChars: finder.maxWholeChars,
    strideChars: finder.strideChars,
    find(text, from, to, isPlain = false) {
      const found = finder.find(text, from, to)
      if (isPlain) return found
      const offset = Math.max(0, from - reach)
      const original = text.slice(offset, to + reach)
      const folded = fold(original)
      if (folded.positions === undefined) return found
      for (const finding of finder.find(folded.text, 0, folded.text.length)) {
        const span = unfold(folded, finding)
        const start = span.start + offset
        if (start >= from && start < to) found.push({ ...finding, start, end: span.end + offset })
      }
      return found
    },
  }
}
