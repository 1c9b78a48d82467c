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
/** The length of a frame in free format is not in its header. No frame is shorter than its header and its side information. */
const minFreeFrameBytes = 13

/** Bytes and seconds of a frame, by its second and third byte; 0 for what is no header. */
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

/** Length of the frame of MPEG audio (layers I to III) whose header is here; 0 when there is none. */
export function mpegFrameBytes(bytes: Buffer, at: number): number {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xe0) !== 0xe0) return 0
  return frames.bytes[indexAt(bytes, at)] ?? 0
}

/** Version, layer and sample rate: the same in all frames of one stream. */
export const mpegStreamOf = (bytes: Buffer, at: number): number => indexAt(bytes, at) & 0x1e0c

const isFreeFormat = (bytes: Buffer, at: number): boolean => (bytes[at + 2] ?? 0) >> 4 === 0

/** Two frames of one stream in a row, at the start or after an ID3 tag. */
export function looksLikeMp3(bytes: Buffer): boolean {
  const start = endOfTag(bytes)
  if (start === null) return false
  const next = start + mpegFrameBytes(bytes, start)
  if (next === start || isFreeFormat(bytes, start) || mpegFrameBytes(bytes, next) === 0) return false
  return mpegStreamOf(bytes, start) === mpegStreamOf(bytes, next)
}

/** Null for a tag that some decoders would not take for one. */
function endOfTag(bytes: Buffer): number | null {
  if (bytes.toString('latin1', 0, 3) !== 'ID3') return 0
  const [flags = 0, ...size] = bytes.subarray(5, 10)
  if (size.length < 4 || flags & 0x10 || size.some((byte) => byte > 0x7f)) return null
  return 10 + size.reduce((total, byte) => total * 128 + byte, 0)
}

/** Bytes that belong to no frame: tags at the end, and what encoders leave between frames. */
const maxStrayBytes = 64 * 1024
// A few milliseconds.
const bytesPerTurn = 256 * 1024
/** Larger than any frame. */
const ringSize = 4096

/**
 * The longest time that any sequence of frames in these bytes plays, wherever a decoder begins and whichever frames it drops: a
 * frame may have others inside of it, also a tag. Null when much of the file is no frame.
 */
export async function mpegSeconds(bytes: Buffer): Promise<number | null> {
  if (countStrayBytes(bytes) > maxStrayBytes) return null
  const longest = new Float64Array(ringSize)
  let best = 0
  for (let end = bytes.length; end > 0; end -= bytesPerTurn) {
    best = playedWithin(bytes, Math.max(0, end - bytesPerTurn), end, best, longest)
    await nextTurn()
  }
  return best
}

/**
 * What the bytes from here on play at most, `best` being what those after `end` do; `longest` keeps the same for the last
 * `ringSize` places.
 */
function playedWithin(bytes: Buffer, from: number, end: number, best: number, longest: Float64Array): number {
  let played = best
  for (let at = end - 1; at >= from; at--) {
    if (bytes[at] === 0xff) played = Math.max(played, playedFrom(bytes, at, longest))
    longest[at & (ringSize - 1)] = played
  }
  return played
}

/** A frame that the file ends in counts as a whole one. */
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
