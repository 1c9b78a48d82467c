import { isPlain } from '../detect/fold.js'
import { maxPrefilterChars, prefilter } from '../detect/prefilter.js'
import type { TextFinder } from '../kinds/judge.js'
import { decodeShortText, type JudgedText } from './judged-text.js'
import type { WorkTimer } from './work-timer.js'

/**
 * Whether none of the finders finds anything in a text. False means only that each policy must be asked: it was found, or
 * the text is long, or the time slice is over. Nearly all texts are short and clean. For those this does without promises
 * and without an account per policy: asking each policy instead, judging a call took 1.5 times as long with five policies,
 * 1.9 times with fifty.
 */
export function isKnownClean(judged: JudgedText, finders: readonly TextFinder[], timer: WorkTimer): boolean {
  // If something is found after all, this was for nothing and must not have cost much.
  if (judged.text.length > maxPrefilterChars) return false
  try {
    return findsNothing(decodeShortText(judged).text, finders, timer)
  } catch {
    return false
  }
}

function findsNothing(text: string, finders: readonly TextFinder[], timer: WorkTimer): boolean {
  const features = prefilter(text)
  const plain = features.isAscii || isPlain(text)
  for (const finder of finders) {
    if (plain && finder.mayFind?.(features) === false) continue
    if (text.length > finder.maxWholeChars || finder.find(text, 0, text.length, plain).length > 0)
      return false
    if (timer.shouldYield()) return false
  }
  return true
}
