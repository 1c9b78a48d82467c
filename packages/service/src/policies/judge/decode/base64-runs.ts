/** A span of a text. */
export interface Run {
  start: number
  end: number
}

/** Including the padding. Shorter runs are mostly words, and decoding them costs more than they can hide. */
const minRunChars = 16

const alphabet = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code)) ? 1 : 0,
)
const isOfAlphabet = (code: number): boolean => alphabet[code] === 1
const equals = 0x3d

/**
 * Finds the next run of base64 characters, of either alphabet, from `from` on. Line ends within a run are part of it. Returns null if
 * there is none. Most characters are never read: the search skips ahead by the minimum length of a run.
 */
export function findRun(text: string, from: number): Run | null {
  const minRun = minRunChars - 2
  let start = from
  while (start + minRun <= text.length) {
    let at = start + minRun - 1
    while (at >= start && isOfAlphabet(text.charCodeAt(at))) at--
    if (at >= start) {
      start = at + 1
      continue
    }
    const run = { start, end: endOfLines(text, start + minRun) }
    if (run.end - run.start >= minRunChars) return run
    start = run.end
  }
  return null
}

/** Returns the end of a run that may continue on further lines, up to its padding. */
function endOfLines(text: string, from: number): number {
  let end = endOfAlphabet(text, from)
  for (;;) {
    let padded = end
    while (padded - end < 2 && text.charCodeAt(padded) === equals) padded++
    if (padded > end) return padded
    let next = end
    while (next - end < 4 && isLineEnd(text.charCodeAt(next))) next++
    const lineEnd = endOfAlphabet(text, next)
    if (next === end || lineEnd === next) return end
    end = lineEnd
  }
}

function endOfAlphabet(text: string, from: number): number {
  let at = from
  while (isOfAlphabet(text.charCodeAt(at))) at++
  return at
}

const isLineEnd = (code: number): boolean => code === 0x0a || code === 0x0d

/** Splits a run into its lines, and at characters of the alphabet that also separate words: `id-`, `/path/`. */
export function splitRun(text: string, { start, end }: Run): Run[] {
  const parts: Run[] = []
  let from = start
  for (let at = start; at <= end; at++) {
    const code = text.charCodeAt(at)
    if (at < end && code !== 0x2d && code !== 0x2f && code !== 0x5f && !isLineEnd(code)) continue
    if (at - from >= minRunChars - 2 && at - from < end - start) parts.push({ start: from, end: at })
    from = at + 1
  }
  return parts
}

/** True when the whole text is base64 with white space in it. */
export const isSpacedBase64 = (text: string): boolean =>
  text.length >= minRunChars && /\s/.test(text) && /^[A-Za-z0-9+/_\s-]+={0,2}$/.test(text.trim())
