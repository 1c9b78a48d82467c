import { setImmediate as nextTurn } from 'node:timers/promises'
import { mpegFrameBytes, mpegStreamOf } from './mpeg.js'

// Takes a few milliseconds.
const bytesPerSlice = 256 * 1024
/** Decoders require at least three consecutive frames before they recognise a stream. */
const minConsecutiveFrames = 3

/** A format that decoders recognise by its frames alone, at any position. */
interface Framing {
  /** True when a frame can begin with these bytes. */
  begins(first: number, second: number): boolean
  /** Returns the length of the frame here, whose first two bytes are known to match; 0 when there is none. */
  lengthAt(bytes: Buffer, at: number): number
  /** Returns what the frames of one stream have in common. */
  streamOf(bytes: Buffer, at: number): number
  minConsecutive: number
}

const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? 0

const mpeg: Framing = {
  begins: (first, second) => first === 0xff && (second & 0xe0) === 0xe0,
  // Free format is excluded: its length is unknown, and quiet samples look like it.
  lengthAt: (bytes, at) => (byteAt(bytes, at + 2) >> 4 === 0 ? 0 : mpegFrameBytes(bytes, at)),
  streamOf: mpegStreamOf,
  minConsecutive: minConsecutiveFrames,
}

/**
 * AAC in ADTS frames. Quiet samples look like a few of them, but decoders require hundreds when they are not at the
 * start.
 */
const adts: Framing = {
  begins: (first, second) => first === 0xff && (second & 0xf6) === 0xf0,
  lengthAt(bytes, at) {
    if (((byteAt(bytes, at + 2) >> 2) & 15) > 12) return 0
    const length =
      ((byteAt(bytes, at + 3) & 3) << 11) | (byteAt(bytes, at + 4) << 3) | (byteAt(bytes, at + 5) >> 5)
    return length < 7 ? 0 : length
  },
  streamOf: (bytes, at) =>
    (byteAt(bytes, at + 1) << 16) | (byteAt(bytes, at + 2) << 8) | (byteAt(bytes, at + 3) & 0xf0),
  minConsecutive: 6,
}

/** AAC in LOAS frames. */
const loas: Framing = {
  begins: (first, second) => first === 0x56 && (second & 0xe0) === 0xe0,
  lengthAt: (bytes, at) => 3 + (((byteAt(bytes, at + 1) & 0x1f) << 8) | byteAt(bytes, at + 2)),
  streamOf: () => 0,
  minConsecutive: minConsecutiveFrames,
}

// ATSC A/52, table 5.18: words of 16 bits in a frame of 1536 samples, for each kbit/s.
const ac3Kbits = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]

function ac3Words(sizes: number): number {
  const kbits = ac3Kbits[(sizes & 0x3f) >> 1]
  if (kbits === undefined) return 0
  const rate = [48, 44.1, 32][sizes >> 6]
  return rate === undefined ? 0 : Math.floor((kbits * 96) / rate) + (rate === 44.1 ? sizes & 1 : 0)
}

/** AC-3 and its enhanced form, whose header contains the length; words in either byte order. */
const ac3 = (isSwapped: boolean): Framing => ({
  begins: (first, second) =>
    isSwapped ? first === 0x77 && second === 0x0b : first === 0x0b && second === 0x77,
  lengthAt(bytes, at) {
    const headByte = (index: number) => byteAt(bytes, at + (isSwapped ? index ^ 1 : index))
    const isEnhanced = headByte(5) >> 3 > 10
    return 2 * (isEnhanced ? (((headByte(2) & 7) << 8) | headByte(3)) + 1 : ac3Words(headByte(4)))
  },
  streamOf: () => 0,
  minConsecutive: minConsecutiveFrames,
})

const transport = (packetBytes: number): Framing => ({
  begins: (first) => first === 0x47,
  lengthAt: () => packetBytes,
  streamOf: () => 0,
  // The sync word has only one byte, so more frames are required.
  minConsecutive: 6,
})

const framings: readonly Framing[] = [
  ...[mpeg, adts, loas, ac3(false), ac3(true)],
  // MPEG transport streams: plain, with time codes, and with checksums.
  ...[188, 192, 204].map(transport),
]

interface SyncWord {
  /** The last bytes of the sync word, from the first one that is rare in samples. */
  bytes: Buffer
  /** The whole sync word, up to the same end. */
  value: number
}

/**
 * Marks that decoders count: DTS in four spellings and its extension, TrueHD, S/PDIF in both byte orders, program
 * streams.
 */
const syncWords: readonly SyncWord[] = [
  ...['7ffe8001', 'fe7f0180', '1fffe800', '64582025', 'f8726fba', 'f8726fbb', '72f81f4e', 'f8724e1f'],
  ...['ff1f00e8', '000001ba'],
].map((hex) => ({
  bytes: Buffer.from(hex.replace(/^(?:ff|00)+/, ''), 'hex'),
  value: Number.parseInt(hex, 16),
}))
const maxSyncWords = 2
const programStream = 0x1ba

/** For each byte, whether a frame can begin with it. */
const isFirst = Uint8Array.from({ length: 256 }, (_, first) => {
  const pairs = Array.from({ length: 256 }, (_, second) =>
    framings.some(({ begins }) => begins(first, second)),
  )
  return pairs.includes(true) ? 1 : 0
})

/**
 * For each second and third byte after 0xff, whether a frame can contain them: quiet samples contain many such
 * bytes.
 */
const afterOnes = Uint8Array.from({ length: 65_536 }, (_, pair) => {
  const head = Buffer.from([0xff, pair >> 8, pair & 0xff, 0x03, 0xff, 0xff])
  return framings.some(({ begins, lengthAt }) => begins(0xff, pair >> 8) && lengthAt(head, 0) > 0) ? 1 : 0
})

/**
 * Returns whether a decoder that examines content instead of headers could read these bytes as another format than
 * the one they start with. `isMpeg`: MPEG audio frames are part of the format itself.
 */
export async function containsOtherFormat(bytes: Buffer, isMpeg: boolean): Promise<boolean> {
  const others = isMpeg ? framings.filter((each) => each !== mpeg) : framings
  if (syncWords.some((syncWord) => hasMany(bytes, syncWord))) return true
  for (let from = 0; from < bytes.length; from += bytesPerSlice) {
    if (hasFramesWithin(bytes, from, Math.min(bytes.length - 2, from + bytesPerSlice), others)) return true
    await nextTurn()
  }
  return false
}

function hasFramesWithin(bytes: Buffer, from: number, end: number, others: readonly Framing[]): boolean {
  for (let at = from; at < end; at++) {
    const first = bytes[at] ?? 0
    if (isFirst[first] === 0) continue
    const second = bytes[at + 1] ?? 0
    if (first === 0xff && afterOnes[(second << 8) | (bytes[at + 2] ?? 0)] === 0) continue
    for (const framing of others)
      if (framing.begins(first, second) && hasConsecutiveFrames(bytes, at, framing)) return true
  }
  return false
}

function hasConsecutiveFrames(
  bytes: Buffer,
  start: number,
  { begins, lengthAt, streamOf, minConsecutive }: Framing,
): boolean {
  let length = lengthAt(bytes, start)
  for (let at = start + length, frames = 1; frames < minConsecutive; frames++, at += length) {
    if (length === 0 || at >= bytes.length || !begins(byteAt(bytes, at), byteAt(bytes, at + 1))) return false
    if (streamOf(bytes, at) !== streamOf(bytes, start)) return false
    length = lengthAt(bytes, at)
  }
  return length > 0
}

function hasMany(bytes: Buffer, syncWord: SyncWord): boolean {
  let count = 0
  for (
    let at = bytes.indexOf(syncWord.bytes);
    at >= 0 && count <= maxSyncWords;
    at = bytes.indexOf(syncWord.bytes, at + 1)
  ) {
    const end = at + syncWord.bytes.length
    if (end < 4 || bytes.readUInt32BE(end - 4) !== syncWord.value) continue
    if (syncWord.value !== programStream || isPackHeader(byteAt(bytes, end))) count++
  }
  return count > maxSyncWords
}

/** Matches what follows the sync word of a program stream, in MPEG 2 and in MPEG 1. */
const isPackHeader = (byte: number): boolean => (byte & 0xc4) === 0x44 || (byte & 0xf1) === 0x21
