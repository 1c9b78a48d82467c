import type { YieldToEventLoop } from './yield-to-event-loop.js'

// Decoding this much Chinese text takes a few milliseconds.
const bytesPerSlice = 1024 * 1024

/** Decodes UTF-8 in slices. */
export async function decodeInSlices(bytes: Buffer, yieldToEventLoop: YieldToEventLoop): Promise<string> {
  if (bytes.length <= bytesPerSlice) return bytes.toString()
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; ) {
    if (start > 0) await yieldToEventLoop()
    let end = Math.min(start + bytesPerSlice, bytes.length)
    while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
    pieces.push(bytes.toString('utf8', start, end))
    start = end
  }
  return pieces.join('')
}
