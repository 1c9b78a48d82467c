import type { TextWalk } from '../../providers/index.js'

/** Reading as much takes some milliseconds. What an answer repeats of a longer request is judged like the rest of it. */
const maxReadChars = 1024 * 1024

/** Tells whether a request says something. It is read once, when that is first asked: few answers repeat any of it. */
export function createAskedTexts(walkRequest: () => TextWalk, length: number): (text: string) => boolean {
  let asked: Set<string> | undefined
  return (text) => {
    asked ??= length > maxReadChars ? new Set() : readAll(walkRequest())
    return asked.has(text)
  }
}

function readAll(walk: TextWalk): Set<string> {
  const texts = new Set<string>()
  for (let place = walk.next(); place !== undefined; place = walk.next()) if (place) texts.add(place.text)
  return texts
}
