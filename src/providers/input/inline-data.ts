/** Bytes that stand in a body as base64. */
export interface InlineData {
  bytes: Buffer
  mediaType: string
}

// A media type with its parameters is shorter than this; what has no comma by then is no data URL.
const maxHeadChars = 256

/** A data URL with base64 in it. Null for anything else, also for base64 that not every decoder would read alike. */
export function readDataUrl(url: string): InlineData | null {
  const comma = url.slice(0, maxHeadChars).indexOf(',')
  const head = /^data:([^;,]*)((?:;[^;,]*)*);base64$/i.exec(url.slice(0, Math.max(comma, 0)))
  return head === null ? null : readBase64(url.slice(comma + 1), head[1] ?? '')
}

/**
 * Null unless the text is exactly what an encoder writes. Decoders disagree about everything else: whether they skip, replace or
 * stop at white space, characters of the URL-safe alphabet and padding in the middle.
 */
export function readBase64(text: string, mediaType: string): InlineData | null {
  const bytes = Buffer.from(text, 'base64')
  const written = bytes.toString('base64')
  const isWhole =
    written === text || (written.startsWith(text) && /^={1,2}$/.test(written.slice(text.length)))
  return isWhole && bytes.length > 0 ? { bytes, mediaType: mediaType.toLowerCase() } : null
}
