/** A kind of frame of MPEG audio: its header, its length in bytes, and how long it plays. */
export interface FrameKind {
  header: readonly [number, number, number, number]
  bytes: number
  seconds: number
}

export const frameKinds = {
  /** MPEG 2, layer III, 16 kHz, 8 kbit/s. */
  thin: { header: [0xff, 0xf3, 0x18, 0xc4], bytes: 36, seconds: 576 / 16_000 },
  /** MPEG 2.5, layer III, 8 kHz, 8 kbit/s. */
  thinnest: { header: [0xff, 0xe3, 0x18, 0xc4], bytes: 72, seconds: 576 / 8_000 },
  /** MPEG 2, layer II, 16 kHz, 8 kbit/s. */
  thinLayerTwo: { header: [0xff, 0xf5, 0x18, 0xc4], bytes: 72, seconds: 1_152 / 16_000 },
  /** MPEG 1, layer III, 44.1 kHz, 128 kbit/s. */
  usual: { header: [0xff, 0xfb, 0x90, 0xc4], bytes: 417, seconds: 1_152 / 44_100 },
  /** MPEG 1, layer III, 44.1 kHz, 320 kbit/s. */
  thick: { header: [0xff, 0xfb, 0xe0, 0xc4], bytes: 1_044, seconds: 1_152 / 44_100 },
  /** MPEG 2, layer III, 16 kHz, in free format: as short as it can be. */
  free: { header: [0xff, 0xf3, 0x08, 0xc4], bytes: 24, seconds: 576 / 16_000 },
} as const satisfies Record<string, FrameKind>

export function mpegFrame({ header, bytes }: FrameKind, content: Buffer = Buffer.alloc(0)): Buffer {
  const frame = Buffer.alloc(bytes)
  frame.set(header)
  content.copy(frame, 36)
  return frame
}

export const mpegFrames = (kind: FrameKind, count: number, content?: Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => mpegFrame(kind, content)))

/** An ID3 tag around these bytes. */
export function id3Tag(content: Buffer, flags = 0, highBits = 0): Buffer {
  const head = Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1')
  head.writeUInt8(flags, 5)
  for (const [index, shift] of [21, 14, 7, 0].entries())
    head.writeUInt8(((content.length >> shift) & 0x7f) | highBits, 6 + index)
  return Buffer.concat([head, content])
}

/** Frames of AAC in ADTS at 8 kHz: 128 ms each. */
export function adtsFrames(count: number): Buffer {
  const frame = Buffer.from([0xff, 0xf1, 0x6c, 0x40, 0x01, 0x7f, 0xfc, 0x01, 0x40, 0x00, 0x07])
  return Buffer.concat(Array.from({ length: count }, () => frame))
}
export const adtsSeconds = 1_024 / 8_000

/** Frames of AC-3 at 32 kHz and 32 kbit/s: 48 ms each. Without content, which no decoder needs to know their length. */
export function ac3Frames(count: number, isSwapped = false): Buffer {
  const frame = Buffer.alloc(192)
  frame.set([0x0b, 0x77, 0, 0, 0x80, 0x40])
  if (isSwapped) frame.swap16()
  return Buffer.concat(Array.from({ length: count }, () => frame))
}
export const ac3Seconds = 1_536 / 32_000

/** Packets of an MPEG transport stream. */
export function transportPackets(count: number): Buffer {
  const packet = Buffer.alloc(188, 0xff)
  packet.set([0x47, 0x01, 0x00, 0x10])
  return Buffer.concat(Array.from({ length: count }, () => packet))
}
