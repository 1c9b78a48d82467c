import { fold, unfold } from '../detect/fold.js'
import type { TextFinder } from './judge.js'

/**
 * Looks at a text as it stands, and again as it reads where invisible characters are left out and full-width letters
 * are plain: a word with a zero-width space in it looks the same to a reader, and to most models. `reach` is how long
 * a finding may be for that; the second look costs nothing where the text has no such characters.
 */
export function seeThrough(finder: TextFinder, reach: number): TextFinder {
  return {
    atOnce: finder.atOnce,
    stride: finder.stride,
    find(text, from, to, isPlain = false) {
      const found = finder.find(text, from, to)
      if (isPlain) return found
      const start = Math.max(0, from - reach)
      const original = text.slice(start, to + reach)
      const folded = fold(original)
      if (folded.positions === undefined) return found
      for (const finding of finder.find(folded.text, 0, folded.text.length)) {
        const place = unfold(original, folded, finding)
        const moved = { ...finding, start: place.start + start, end: place.end + start }
        if (moved.start >= from && moved.start < to) found.push(moved)
      }
      return found
    },
  }
}
