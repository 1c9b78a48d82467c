import { opusPacketSeconds } from './opus.js'

/** The bytes of a page before its segment table. */
const pageHeadBytes = 27

interface OggStream {
  /** Positions in the stream per second. */
  rate: number
  /**
   * Returns the longest playing time of a packet that starts with these bytes; both are undefined for an empty
   * packet.
   */
  packetSeconds(first: number | undefined, second: number | undefined): number
}

/**
 * Returns the seconds of an Ogg file with Opus or Vorbis: every packet on every page counts, at any position, since
 * a decoder may search all bytes for pages. Null when a page belongs to a stream of another codec.
 */
export function oggSeconds(bytes: Buffer): number | null {
  const streams = new Map<number, OggStream>()
  let [played, latest] = [0, 0]
  for (let at = 0; at >= 0; at = bytes.indexOf('OggS', at + 1, 'latin1')) {
    if (at + pageHeadBytes > bytes.length || bytes[at + 4] !== 0) continue
    const segments = bytes.readUInt8(at + 26)
    const body = at + pageHeadBytes + segments
    const serial = bytes.readUInt32LE(at + 14)
    const isFirst = (bytes.readUInt8(at + 5) & 2) !== 0
    const stream = isFirst ? readCodec(bytes.subarray(body)) : (streams.get(serial) ?? null)
    const known = streams.get(serial)
    // Two streams share a number: either may be used to read the packets.
    if (stream === null || (isFirst && known !== undefined && known.rate !== stream.rate)) return null
    streams.set(serial, stream)
    played += packetsSeconds(bytes, at + pageHeadBytes, body, stream)
    const position = bytes.readBigInt64LE(at + 6)
    if (position > 0n) latest = Math.max(latest, Number(position) / stream.rate)
  }
  return Math.max(played, latest)
}

/** A packet that continues from the previous page counts as another packet. */
function packetsSeconds(bytes: Buffer, table: number, body: number, stream: OggStream): number {
  let seconds = 0
  let at = body
  let isStart = true
  for (const segment of bytes.subarray(table, body)) {
    if (isStart)
      seconds +=
        segment === 0
          ? stream.packetSeconds(undefined, undefined)
          : stream.packetSeconds(bytes[at], bytes[at + 1])
    isStart = segment < 255
    at += segment
  }
  return seconds
}

function readCodec(packet: Buffer): OggStream | null {
  if (packet.toString('latin1', 0, 8) === 'OpusHead')
    return { rate: 48_000, packetSeconds: opusPacketSeconds }
  if (packet.toString('latin1', 0, 7) !== '\x01vorbis' || packet.length < 30) return null
  const rate = packet.readUInt32LE(12)
  const longBlock = 2 ** (packet.readUInt8(28) >> 4)
  // A block overlaps the previous one by half. Headers have the lowest bit set.
  const packetSeconds = (first?: number) => (first !== undefined && first & 1 ? 0 : longBlock / 2 / rate)
  return rate === 0 ? null : { rate, packetSeconds }
}
