import { setImmediate as nextTurn } from 'node:timers/promises'

const lowBitrates = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
/** kbit/s by layer, from index 1. */
const bitrates = {
  mpeg1: {
    1: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    2: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  mpeg2: {
    1: [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    2: lowBitrates,
    3: lowBitrates,
  },
}
const sampleRates = [44_100, 48_000, 32_000]
/**
 * The header of a free-format frame does not contain its length. No frame is shorter than its header and its side
 * information.
 */
const minFreeFrameBytes = 13

/** Bytes and seconds of a frame, by its second and third byte; 0 when they are not a header. */
const frames = makeFrameTable()

function makeFrameTable(): { bytes: Uint16Array; seconds: Float64Array } {
  const table = { bytes: new Uint16Array(8192), seconds: new Float64Array(8192) }
  for (let index = 0; index < 8192; index++) {
    const frame = readHeader(index)
    if (frame !== null) [table.bytes[index], table.seconds[index]] = [frame.bytes, frame.seconds]
  }
  return table
}

function readHeader(index: number): { bytes: number; seconds: number } | null {
  const [version, layer, rates] = [(index >> 11) & 3, 4 - ((index >> 9) & 3), index & 0xff]
  const rate = sampleRates[(rates >> 2) & 3]
  const bitrate = rates >> 4
  if (version === 1 || (layer !== 1 && layer !== 2 && layer !== 3)) return null
  if (rate === undefined || bitrate === 15) return null
  const sampleRate = rate / (version === 3 ? 1 : version === 2 ? 2 : 4)
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152
  const seconds = samples / sampleRate
  if (bitrate === 0) return { bytes: minFreeFrameBytes, seconds }
  const kbits = bitrates[version === 3 ? 'mpeg1' : 'mpeg2'][layer][bitrate - 1] ?? 0
  const slotBytes = layer === 1 ? 4 : 1
  const slots = Math.floor((samples * kbits * 125) / (sampleRate * slotBytes)) + ((rates >> 1) & 1)
  return { bytes: slots * slotBytes, seconds }
}

const indexAt = (bytes: Buffer, at: number): number =>
  (((bytes[at + 1] ?? 0) & 0x1f) << 8) | (bytes[at + 2] ?? 0)

/** Returns the length of the MPEG audio frame (layers I to III) whose header is here; 0 when there is none. */
export function mpegFrameBytes(bytes: Buffer, at: number): number {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xe0) !== 0xe0) return 0
  return frames.bytes[indexAt(bytes, at)] ?? 0
}

/** Returns the version, layer and sample rate, which are the same in all frames of one stream. */
export const mpegStreamOf = (bytes: Buffer, at: number): number => indexAt(bytes, at) & 0x1e0c

const isFreeFormat = (bytes: Buffer, at: number): boolean => (bytes[at + 2] ?? 0) >> 4 === 0

/** True when two frames of one stream follow each other, at the start or after an ID3 tag. */
export function looksLikeMp3(bytes: Buffer): boolean {
  const start = endOfTag(bytes)
  if (start === null) return false
  const next = start + mpegFrameBytes(bytes, start)
  if (next === start || isFreeFormat(bytes, start) || mpegFrameBytes(bytes, next) === 0) return false
  return mpegStreamOf(bytes, start) === mpegStreamOf(bytes, next)
}

/** Returns null for a tag that some decoders would not recognise. */
function endOfTag(bytes: Buffer): number | null {
  if (bytes.toString('latin1', 0, 3) !== 'ID3') return 0
  const [flags = 0, ...size] = bytes.subarray(5, 10)
  if (size.length < 4 || flags & 0x10 || size.some((byte) => byte > 0x7f)) return null
  return 10 + size.reduce((total, byte) => total * 128 + byte, 0)
}

/** Bytes outside frames: tags at the end, and what encoders leave between frames. */
const maxStrayBytes = 64 * 1024
// Takes a few milliseconds.
const bytesPerSlice = 256 * 1024
/** Larger than any frame. */
const ringSize = 4096

/**
 * Returns the longest playing time of any sequence of frames in these bytes, wherever a decoder starts and
 * whichever frames it drops: a frame, or a tag, may contain other frames. Null when much of the file is not frames.
 */
export async function mpegSeconds(bytes: Buffer): Promise<number | null> {
  if (countStrayBytes(bytes) > maxStrayBytes) return null
  const longest = new Float64Array(ringSize)
  let best = 0
  for (let end = bytes.length; end > 0; end -= bytesPerSlice) {
    best = playedWithin(bytes, Math.max(0, end - bytesPerSlice), end, best, longest)
    await nextTurn()
  }
  return best
}

/**
 * Returns the longest playing time from here on. `best` is that of the bytes after `end`; `longest` holds it for
 * the last `ringSize` positions.
 */
function playedWithin(bytes: Buffer, from: number, end: number, best: number, longest: Float64Array): number {
  let played = best
  for (let at = end - 1; at >= from; at--) {
    if (bytes[at] === 0xff) played = Math.max(played, playedFrom(bytes, at, longest))
    longest[at & (ringSize - 1)] = played
  }
  return played
}

/** A frame that is cut off by the end of the file counts as a whole one. */
function playedFrom(bytes: Buffer, at: number, longest: Float64Array): number {
  const length = mpegFrameBytes(bytes, at)
  if (length === 0) return 0
  const rest = at + length < bytes.length ? (longest[(at + length) & (ringSize - 1)] ?? 0) : 0
  return (frames.seconds[indexAt(bytes, at)] ?? 0) + rest
}

function countStrayBytes(bytes: Buffer): number {
  let stray = 0
  for (let at = endOfTag(bytes) ?? 0; at < bytes.length && stray <= maxStrayBytes; ) {
    const length = mpegFrameBytes(bytes, at)
    if (length === 0) stray++
    at += length || 1
  }
  return stray
}
