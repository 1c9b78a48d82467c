/** Recorders do not write higher sample rates or more channels, and decoders disagree about them. */
const maxSampleRate = 192_000
const maxChannels = 8
const sampleBits = new Set([8, 16, 24, 32, 64])

const plainTags = { integer: 1, float: 3, alaw: 6, mulaw: 7, extensible: 0xfffe }
/** The rest of a format identifier whose first two bytes are a plain tag. */
const plainGuid = Buffer.from('000000001000800000aa00389b71', 'hex')

const maxChunks = 1_000
/**
 * The bytes from the start of a format chunk to the first sample: its name, length and content, and the name and
 * length of the samples.
 */
const leastBeforeSamples = 8 + 16 + 8

/**
 * Returns the seconds of a WAV file with plain samples: everything after the format chunk, at the declared rate,
 * whatever sample count the header declares. Null for other encodings, and when decoders could choose between
 * formats. `holdsOtherFormat` checks that the samples are not an encoded stream: ffmpeg reads 16-bit samples as MP3
 * or AC-3 when they look like it.
 */
export function wavSeconds(bytes: Buffer): number | null {
  const head = bytes.toString('latin1', 8, 12)
  if (head !== 'WAVE' || bytes.indexOf('WAVEfmt ', 13, 'latin1') >= 0) return null
  let format: Buffer | null = null
  let samplesAt = bytes.length
  let chunks = 0
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    // Samples before their format, or a chunk that declares another encoding.
    if (name === 'XMA2' || (name === 'data' && format === null) || ++chunks > maxChunks) return null
    if (name === 'fmt ') {
      const next = bytes.subarray(at + 8, at + 8 + size)
      if (format !== null && !format.equals(next)) return null
      format = next
      samplesAt = Math.min(samplesAt, at + leastBeforeSamples)
    }
    // The recorder did not know the length: everything that follows is samples, or, to some decoders, more chunks.
    if (name === 'data' && size === 0) {
      if (bytes.indexOf('fmt ', at, 'latin1') >= 0) return null
      break
    }
    at += 8 + size + (size % 2)
  }
  const bytesPerSecond = format === null ? null : readByteRate(format)
  return bytesPerSecond === null ? null : (bytes.length - samplesAt) / bytesPerSecond
}

function readByteRate(format: Buffer): number | null {
  if (format.length < 16) return null
  const [tag, channels] = [format.readUInt16LE(0), format.readUInt16LE(2)]
  const [sampleRate, declared] = [format.readUInt32LE(4), format.readUInt32LE(8)]
  const [bytesPerFrame, bits] = [format.readUInt16LE(12), format.readUInt16LE(14)]
  const isUsual =
    channels > 0 &&
    channels <= maxChannels &&
    sampleRate > 0 &&
    sampleRate <= maxSampleRate &&
    sampleBits.has(bits)
  if (!isUsual || bytesPerFrame !== (channels * bits) / 8 || declared !== sampleRate * bytesPerFrame)
    return null
  const bytesPerSample = tag === plainTags.extensible ? extensibleBytes(format, bits) : sampleBytes(tag, bits)
  return bytesPerSample === null ? null : sampleRate * channels * bytesPerSample
}

/** A-law and mu-law have one byte per sample, whatever bit depth the header declares. */
function sampleBytes(tag: number, bits: number): number | null {
  if (tag === plainTags.alaw || tag === plainTags.mulaw) return 1
  return tag === plainTags.integer || tag === plainTags.float ? bits / 8 : null
}

/** Some decoders use the number of valid bits as the size of a sample. */
function extensibleBytes(format: Buffer, bits: number): number | null {
  if (format.length < 40 || !format.subarray(26, 40).equals(plainGuid)) return null
  const validBits = format.readUInt16LE(18) || bits
  return sampleBytes(format.readUInt16LE(24), Math.min(bits, Math.ceil(validBits / 8) * 8))
}
