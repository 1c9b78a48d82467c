/** Bytes as files have them, the same each time. */

let state = 1
/** From 0 to 1. */
function next(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

/** As what is compressed or encrypted. */
export const noise = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => Math.floor(next() * 256)))

/** As an embedding in base64. */
export function floatsOf(count: number): Buffer {
  const bytes = Buffer.alloc(count * 4)
  for (let at = 0; at < count; at++) bytes.writeFloatLE((next() - 0.5) * 0.08, at * 4)
  return bytes
}

/** As a recording that is not compressed. */
export function samplesOf(count: number, loudness: number): Buffer {
  const bytes = Buffer.alloc(count * 2)
  let level = 0
  for (let at = 0; at < count; at++) {
    level = 0.95 * level + 0.3 * (next() * 2 - 1) * loudness
    const sample = Math.round(level + (Math.sin(at / 20) * loudness) / 2)
    bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, sample)), at * 2)
  }
  return bytes
}
