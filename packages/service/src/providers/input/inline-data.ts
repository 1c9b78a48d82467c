/** Bytes that are embedded in a body as base64. */
export interface InlineData {
  bytes: Buffer
  mediaType: string
}

// A media type with its parameters is shorter than this; a text without a comma up to here is not a data URL.
const maxHeadChars = 256

/**
 * Reads a data URL with base64 content. Null for anything else, including base64 that decoders would read
 * differently.
 */
export function readDataUrl(url: string): InlineData | null {
  const comma = url.slice(0, maxHeadChars).indexOf(',')
  const head = /^data:([^;,]*)((?:;[^;,]*)*);base64$/i.exec(url.slice(0, Math.max(comma, 0)))
  return head === null ? null : readBase64(url.slice(comma + 1), head[1] ?? '')
}

/**
 * Returns null unless the text is exactly what an encoder writes. Decoders disagree about everything else: whether
 * they skip, replace or stop at white space, URL-safe characters and padding in the middle.
 */
export function readBase64(text: string, mediaType: string): InlineData | null {
  const bytes = Buffer.from(text, 'base64')
  const written = bytes.toString('base64')
  const isWhole =
    written === text || (written.startsWith(text) && /^={1,2}$/.test(written.slice(text.length)))
  return isWhole && bytes.length > 0 ? { bytes, mediaType: mediaType.toLowerCase() } : null
}
