export interface FlacSilence {
  sampleRate: number
  frames: number
  /** What the file declares in all. */
  totalSamples?: number
  /** A rate that the frames declare themselves. */
  frameRate?: number
}

export const samplesPerFrame = 65_535

/** Silence: 65,535 samples take some 15 bytes. */
export function flacSilence({ sampleRate, frames, totalSamples = 0, frameRate }: FlacSilence): Buffer {
  const info = Buffer.alloc(42)
  info.write('fLaC', 0, 'latin1')
  info.set([0x80, 0, 0, 34], 4)
  info.writeUInt16BE(samplesPerFrame, 8)
  info.writeUInt16BE(samplesPerFrame, 10)
  info.writeBigUInt64BE((BigInt(sampleRate) << 44n) | (15n << 36n) | BigInt(totalSamples), 18)
  const all = Array.from({ length: frames }, (_, number) => silentFrame(number, frameRate))
  return Buffer.concat([info, ...all])
}

function silentFrame(number: number, rate: number | undefined): Buffer {
  const sizes = Buffer.alloc(rate === undefined ? 2 : 4)
  sizes.writeUInt16BE(samplesPerFrame - 1, 0)
  if (rate !== undefined) sizes.writeUInt16BE(rate, 2)
  const numbered = Buffer.from(String.fromCodePoint(number))
  const head = Buffer.concat([
    Buffer.from([0xff, 0xf8, rate === undefined ? 0x70 : 0x7d, 0x08]),
    numbered,
    sizes,
  ])
  // One value for all samples, of 16 bits.
  const frame = Buffer.concat([head, Buffer.from([crc(head, 0x07, 8), 0, 0, 0])])
  const end = Buffer.alloc(2)
  end.writeUInt16BE(crc(frame, 0x8005, 16), 0)
  return Buffer.concat([frame, end])
}

function crc(bytes: Buffer, polynomial: number, bits: number): number {
  const top = 1 << (bits - 1)
  let value = 0
  for (const byte of bytes) {
    value ^= byte << (bits - 8)
    for (let bit = 0; bit < 8; bit++) value = ((value << 1) ^ (value & top ? polynomial : 0)) & (2 * top - 1)
  }
  return value
}
