// The least that MP3 allows, 8 kbit/s: what cannot be understood lasts as long as its bytes can.
const minBytesPerSecond = 1_000
const maxSampleRate = 768_000

/** How long a recording lasts at most, by its bytes. */
export function readAudioSeconds(bytes: Buffer): number {
  return readWav(bytes) ?? readMp3(bytes)
}

// Tags at the end, and what encoders leave between frames.
const maxStrayBytes = 64 * 1024

/**
 * How long a recording lasts at most, where its bytes tell: plain samples, or MP3 from its first frame on. Null for all others: of
 * what is compressed well, an hour of silence takes few bytes, and a header may say anything.
 */
export function knownAudioSeconds(bytes: Buffer): number | null {
  const samples = readWav(bytes)
  if (samples !== null) return samples
  const start = endOfTag(bytes)
  const first = readFrame(bytes, start)
  if (first === null || readFrame(bytes, start + first.bytes) === null) return null
  let seconds = 0
  let stray = 0
  for (let at = start; at < bytes.length; ) {
    const frame = bytes[at] === 0xff ? readFrame(bytes, at) : null
    if (frame === null && ++stray > maxStrayBytes) return null
    seconds += frame?.seconds ?? 1 / minBytesPerSecond
    at += frame?.bytes ?? 1
  }
  return seconds
}

/** Uncompressed samples alone: of others the header does not say how long they last. */
function readWav(bytes: Buffer): number | null {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') return null
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4)
    if (bytes.toString('latin1', at, at + 4) === 'fmt ') return readWavFormat(bytes, at + 8)
    at += 8 + size + (size % 2)
  }
  return null
}

// The least that stands before the first sample: the format itself, and the name and length of the samples.
const formatBytes = 16
const chunkHeadBytes = 8

/** All that follows is taken for samples, whatever the header says of their number. */
function readWavFormat(bytes: Buffer, at: number): number | null {
  if (at + 16 > bytes.length) return null
  const [encoding, channels] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)]
  const [sampleRate, bytesPerSecond] = [bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at + 8)]
  const [bytesPerFrame, bits] = [bytes.readUInt16LE(at + 12), bytes.readUInt16LE(at + 14)]
  const isPlain = encoding === 1 || encoding === 3 || encoding === 0xfffe || encoding === 6 || encoding === 7
  if (!isPlain || bytesPerFrame === 0 || sampleRate === 0 || sampleRate > maxSampleRate) return null
  if (bytesPerFrame !== channels * Math.ceil(bits / 8) || bytesPerSecond !== sampleRate * bytesPerFrame)
    return null
  return Math.max(0, bytes.length - at - formatBytes - chunkHeadBytes) / bytesPerSecond
}

const bitrates = {
  one: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  two: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const sampleRates = [44_100, 48_000, 32_000]

/** Frame by frame. What lies between frames lasts as long as its bytes can. */
function readMp3(bytes: Buffer): number {
  let seconds = 0
  let at = endOfTag(bytes)
  while (at < bytes.length) {
    const frame = readFrame(bytes, at)
    seconds += frame?.seconds ?? 1 / minBytesPerSecond
    at += frame?.bytes ?? 1
  }
  return seconds
}

/** A tag may hold a picture, which lasts for no time: but only one that is there is left out. */
function endOfTag(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 3) !== 'ID3' || bytes.length < 10) return 0
  const size = [6, 7, 8, 9].reduce((total, at) => total * 128 + ((bytes[at] ?? 0) & 0x7f), 0)
  const end = 10 + size
  return readFrame(bytes, end) === null ? 0 : end
}

function readFrame(bytes: Buffer, at: number): { bytes: number; seconds: number } | null {
  const [sync = 0, kind = 0, rates = 0] = bytes.subarray(at, at + 3)
  const version = (kind >> 3) & 3
  const isLayerThree = ((kind >> 1) & 3) === 1
  const rate = sampleRates[(rates >> 2) & 3]
  if (sync !== 0xff || kind < 0xe0 || version === 1 || !isLayerThree || rate === undefined) return null
  const kbits = bitrates[version === 3 ? 'one' : 'two'][rates >> 4]
  if (kbits === undefined || kbits === 0) return null
  const sampleRate = rate / (version === 3 ? 1 : version === 2 ? 2 : 4)
  const samples = version === 3 ? 1152 : 576
  const length = Math.floor((samples / 8) * ((kbits * 1000) / sampleRate)) + ((rates >> 1) & 1)
  return { bytes: length, seconds: samples / sampleRate }
}
