import { isPlain } from '../detect/fold.js'
import { drawSketch, mostSketchedChars } from '../detect/sketch.js'
import type { TextFinder } from '../kinds/judge.js'
import type { Pace } from './pace.js'
import { type JudgedText, readShortText } from './scan.js'

/**
 * Whether nobody finds anything in these texts, where that can be told in one go. Nearly all texts are short and have nothing
 * in them: then it needs neither promises nor accounts of who found what and how long it took, which together cost about as
 * much as the look itself. A no means only that they must be judged one by one.
 */
export function areClean(texts: readonly JudgedText[], finders: readonly TextFinder[], pace: Pace): boolean {
  // What is looked at in vain, when there is something in them after all, must not cost much.
  let chars = 0
  for (const { text } of texts) chars += text.length
  if (chars > mostSketchedChars) return false
  try {
    return texts.every((text) => text.isEcho || isClean(readShortText(text).text, finders, pace))
  } catch {
    return false
  }
}

function isClean(text: string, finders: readonly TextFinder[], pace: Pace): boolean {
  const sketch = drawSketch(text)
  const plain = sketch.isAscii || isPlain(text)
  for (const finder of finders) {
    if (plain && finder.mayFind?.(sketch) === false) continue
    if (text.length > finder.atOnce || finder.find(text, 0, text.length, plain).length > 0) return false
    if (pace.isDue()) return false
  }
  return true
}
