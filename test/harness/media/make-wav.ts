/** What the header of a WAV file declares. */
export interface WavFormat {
  tag?: number
  channels?: number
  sampleRate?: number
  bits?: number
  /** What follows the sixteen bytes of a plain format. */
  extra?: Buffer
}

export const tags = { pcm: 1, float: 3, alaw: 6, mp3: 0x55, extensible: 0xfffe }

/** The part of an extensible format that says which bits are valid and what the samples are. */
export function extension(validBits: number, tag: number): Buffer {
  const bytes = Buffer.alloc(24)
  bytes.writeUInt16LE(22, 0)
  bytes.writeUInt16LE(validBits, 2)
  bytes.writeUInt16LE(tag, 8)
  Buffer.from('000000001000800000aa00389b71', 'hex').copy(bytes, 10)
  return bytes
}

export function wavFormat({
  tag = 1,
  channels = 1,
  sampleRate = 16_000,
  bits = 16,
  extra,
}: WavFormat): Buffer {
  const bytes = Buffer.alloc(16)
  const bytesPerFrame = channels * Math.ceil(bits / 8)
  bytes.writeUInt16LE(tag, 0)
  bytes.writeUInt16LE(channels, 2)
  bytes.writeUInt32LE(sampleRate, 4)
  bytes.writeUInt32LE(sampleRate * bytesPerFrame, 8)
  bytes.writeUInt16LE(bytesPerFrame, 12)
  bytes.writeUInt16LE(bits, 14)
  return extra === undefined ? bytes : Buffer.concat([bytes, extra])
}

export function chunk(name: string, data: Buffer, declaredBytes = data.length): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 0, 'latin1')
  head.writeUInt32LE(declaredBytes, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

export const riff = (form: string, chunks: readonly Buffer[]): Buffer =>
  chunk('RIFF', Buffer.concat([Buffer.from(form, 'latin1'), ...chunks]))

export const wavOf = (format: WavFormat, samples: Buffer): Buffer =>
  riff('WAVE', [chunk('fmt ', wavFormat(format)), chunk('data', samples)])
