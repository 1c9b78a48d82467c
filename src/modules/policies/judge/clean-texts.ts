import { isPlain } from '../detect/fold.js'
import type { TextFinder } from '../kinds/judge.js'
import type { Pace } from './pace.js'
import { type JudgedText, readShortText } from './scan.js'

/** Of all texts together: what is looked at in vain, when there is something in them after all, must not cost much. */
const mostChars = 16_384

/**
 * Whether nobody finds anything in these texts, where that can be told in one go. Nearly all texts are short and have nothing
 * in them: then it needs neither promises nor accounts of who found what and how long it took, which together cost twice as
 * much as the look itself. A no means only that they must be judged one by one.
 */
export function areClean(texts: readonly JudgedText[], finders: readonly TextFinder[], pace: Pace): boolean {
  let chars = 0
  for (const { text } of texts) chars += text.length
  if (chars > mostChars) return false
  try {
    return texts.every((text) => text.isEcho || isClean(readShortText(text).text, finders, pace))
  } catch {
    return false
  }
}

function isClean(text: string, finders: readonly TextFinder[], pace: Pace): boolean {
  const plain = isPlain(text)
  for (const finder of finders) {
    if (text.length > finder.atOnce || finder.find(text, 0, text.length, plain).length > 0) return false
    if (pace.isDue()) return false
  }
  return true
}
