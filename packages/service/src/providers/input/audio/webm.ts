import { opusPacketSeconds } from './opus.js'

const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  codecId: 0x86,
  contentEncodings: 0x6d80,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
}
/**
 * Elements whose content is read. Their own length is ignored: everything after their header is read in any case.
 */
const containers = new Set([ids.segment, ids.info, ids.tracks, ids.trackEntry, ids.cluster, ids.blockGroup])
const clusterId = Buffer.from('1f43b675', 'hex')

interface Element {
  id: number
  start: number
  size: number
}

/**
 * Returns the seconds of a WebM or Matroska file with Opus: every block counts, including those of video tracks.
 * Null for other codecs, for laced or encoded blocks, and when a skipped part could contain blocks for a decoder
 * that searches for them.
 */
export function webmSeconds(bytes: Buffer): number | null {
  let [played, latest, duration] = [0, 0, 0]
  let [clusters, audioTracks, timestamp, secondsPerTick] = [0, 0, 0, 0.001]
  for (let at = 0; at < bytes.length; ) {
    const element = readElement(bytes, at)
    if (element === null) return null
    const { id, start, size } = element
    if (containers.has(id)) {
      if (id === ids.cluster) clusters++
      at = start
      continue
    }
    const end = start + size
    if (end > bytes.length || id === ids.contentEncodings) return null
    if (id === ids.codecId) {
      const codec = bytes.toString('latin1', start, end).replace(/\0+$/, '')
      if (codec !== 'A_OPUS' && !codec.startsWith('V_')) return null
      if (codec === 'A_OPUS') audioTracks++
    } else if (id === ids.timestampScale)
      secondsPerTick = Math.max(secondsPerTick, readNumber(bytes, start, end) / 1e9)
    else if (id === ids.duration) duration = readFloat(bytes, start, end)
    else if (id === ids.timestamp) timestamp = readNumber(bytes, start, end)
    else if (id === ids.simpleBlock || id === ids.block) {
      const block = readBlock(bytes, start, end)
      if (block === null) return null
      played += block.seconds
      latest = Math.max(latest, timestamp + block.ticks)
    }
    at = end
  }
  if (audioTracks === 0 || countOf(bytes, clusterId) !== clusters) return null
  return Math.max(played, Math.max(latest, duration) * secondsPerTick)
}

/**
 * A block has a track number, a relative time, flags, and one frame; several frames in one block would have lengths
 * of their own.
 */
function readBlock(bytes: Buffer, start: number, end: number): { seconds: number; ticks: number } | null {
  const data = start + vintBytes(bytes[start] ?? 0) + 3
  if (data > end || (bytes.readUInt8(data - 1) & 0x06) !== 0) return null
  const [first, second] = [data < end ? bytes[data] : undefined, data + 1 < end ? bytes[data + 1] : undefined]
  return { seconds: opusPacketSeconds(first, second), ticks: bytes.readInt16BE(data - 3) }
}

/** A size of all ones is unknown; only elements whose content is read may have it. */
function readElement(bytes: Buffer, at: number): Element | null {
  const idBytes = vintBytes(bytes[at] ?? 0)
  const sizeAt = at + idBytes
  const sizeBytes = vintBytes(bytes[sizeAt] ?? 0)
  const start = sizeAt + sizeBytes
  if (idBytes > 4 || sizeBytes > 8 || start > bytes.length) return null
  const id = bytes.readUIntBE(at, idBytes)
  let size = (bytes[sizeAt] ?? 0) & (0xff >> sizeBytes)
  let isUnknown = size === 0xff >> sizeBytes
  for (let next = sizeAt + 1; next < start; next++) {
    const byte = bytes[next] ?? 0
    size = size * 256 + byte
    isUnknown &&= byte === 0xff
  }
  return { id, start, size: isUnknown ? Number.POSITIVE_INFINITY : size }
}

/** Returns the length of a number by its first byte; 9 for a byte that cannot start one. */
const vintBytes = (first: number): number => Math.clz32(first) - 23

function readNumber(bytes: Buffer, start: number, end: number): number {
  return bytes.subarray(start, end).reduce((total, byte) => total * 256 + byte, 0)
}

function readFloat(bytes: Buffer, start: number, end: number): number {
  if (end - start === 4) return bytes.readFloatBE(start)
  return end - start === 8 ? bytes.readDoubleBE(start) : Number.POSITIVE_INFINITY
}

function countOf(bytes: Buffer, pattern: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(pattern); at >= 0; at = bytes.indexOf(pattern, at + 1)) count++
  return count
}
