import type { TextWalk } from '../../../providers/index.js'

/** Reading this much takes some milliseconds. For longer requests, texts that an answer repeats are judged like any other. */
const maxReadChars = 1024 * 1024

/**
 * Returns a function that reports whether a text occurs in the request. The request is read on the first use, because few answers need it.
 */
export function createRequestTextLookup(
  walkRequest: () => TextWalk,
  length: number,
): (text: string) => boolean {
  let texts: Set<string> | undefined
  return (text) => {
    texts ??= length > maxReadChars ? new Set() : readAll(walkRequest())
    return texts.has(text)
  }
}

function readAll(walk: TextWalk): Set<string> {
  const texts = new Set<string>()
  for (let location = walk.next(); location !== undefined; location = walk.next())
    if (location) texts.add(location.text)
  return texts
}
