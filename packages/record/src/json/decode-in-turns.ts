import type { WaitForTurn } from './wait-for-turn.js'

// Chinese takes a few milliseconds for as much.
const bytesPerTurn = 1024 * 1024

/** UTF-8 as text, without keeping others waiting. */
export async function decodeInTurns(bytes: Buffer, waitForTurn: WaitForTurn): Promise<string> {
  if (bytes.length <= bytesPerTurn) return bytes.toString()
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; ) {
    if (start > 0) await waitForTurn()
    let end = Math.min(start + bytesPerTurn, bytes.length)
    while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
    pieces.push(bytes.toString('utf8', start, end))
    start = end
  }
  return pieces.join('')
}
