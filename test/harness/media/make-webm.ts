import { opusHead } from './make-ogg.js'

/** An element of EBML; its length in eight bytes, or unknown. */
export function element(id: string, content: Buffer | readonly Buffer[], isUnknown = false): Buffer {
  const data = Buffer.isBuffer(content) ? content : Buffer.concat([...content])
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(data.length) | (1n << 56n))
  return Buffer.concat([
    Buffer.from(id, 'hex'),
    isUnknown ? Buffer.from('01ffffffffffffff', 'hex') : size,
    data,
  ])
}

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}
const float = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}

export const simpleBlock = (packet: Buffer, flags = 0x80): Buffer =>
  element('a3', Buffer.concat([Buffer.from([0x81, 0, 0, flags]), packet]))

export const cluster = (blocks: readonly Buffer[], timestamp = 0, isUnknown = true): Buffer =>
  element('1f43b675', [element('e7', number(timestamp)), ...blocks], isUnknown)

export interface WebmOptions {
  codec?: string
  durationMs?: number
  /** Nanoseconds of a tick. */
  scale?: number
  /** Further members of the track. */
  track?: readonly Buffer[]
}

/** As browsers write it: neither the whole nor its clusters say how long they are. */
export function webmOf(
  parts: readonly Buffer[],
  { codec = 'A_OPUS', durationMs = 0, scale = 1_000_000, track = [] }: WebmOptions = {},
): Buffer {
  const head = element('1a45dfa3', [element('4282', Buffer.from('webm'))])
  const info = element('1549a966', [element('2ad7b1', number(scale)), element('4489', float(durationMs))])
  const audio = element('e1', [element('b5', float(48_000)), element('9f', number(1))])
  const entry = element('ae', [
    element('d7', number(1)),
    element('83', number(2)),
    element('86', Buffer.from(codec)),
    element('63a2', opusHead),
    audio,
    ...track,
  ])
  return Buffer.concat([head, element('18538067', [info, element('1654ae6b', entry), ...parts], true)])
}
