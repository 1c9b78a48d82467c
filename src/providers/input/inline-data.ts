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

export function readBase64(text: string, mediaType: string): InlineData | null {
  const bytes = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  // The decoder passes over what is not base64: fewer bytes than there should be.
  const complete = Math.floor(((text.length - padding) * 3) / 4)
  return bytes.length === complete && bytes.length > 0 ? { bytes, mediaType: mediaType.toLowerCase() } : null
}
