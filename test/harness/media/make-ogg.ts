interface Page {
  serial?: number
  position?: bigint
  isFirst?: boolean
  packets: readonly Buffer[]
}

/** Pages of Ogg. A page has room for packets of up to 255 segments in all. */
export function oggPage({ serial = 1, position = 0n, isFirst = false, packets }: Page): Buffer {
  const segments = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    length % 255,
  ])
  const head = Buffer.alloc(27)
  head.write('OggS', 0, 'latin1')
  head.writeUInt8(isFirst ? 2 : 0, 5)
  head.writeBigInt64LE(position, 6)
  head.writeUInt32LE(serial, 14)
  head.writeUInt8(segments.length, 26)
  const page = Buffer.concat([head, Buffer.from(segments), ...packets])
  page.writeUInt32LE(crcOf(page), 22)
  return page
}

function crcOf(bytes: Buffer): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0)
  }
  return crc >>> 0
}

export const opusHead = Buffer.from('4f707573486561640101000080bb0000000000', 'hex')
const opusTags = Buffer.concat([Buffer.from('OpusTags', 'latin1'), Buffer.alloc(8)])

/** Two frames of silence of 60 ms each, in two bytes. */
export const silentPacket = Buffer.from([0x1b, 0x02])

/** Opus, with `perPage` of the given packets on each page. */
export function oggOpus(
  packets: readonly Buffer[],
  positionOf = (_packetsBefore: number) => 0n,
  perPage = 200,
): Buffer {
  const pages = [oggPage({ isFirst: true, packets: [opusHead] }), oggPage({ packets: [opusTags] })]
  for (let at = 0; at < packets.length; at += perPage) {
    const some = packets.slice(at, at + perPage)
    pages.push(oggPage({ packets: some, position: positionOf(at + some.length) }))
  }
  return Buffer.concat(pages)
}

export function vorbisHead(sampleRate: number, longBlock: number): Buffer {
  const head = Buffer.alloc(30)
  head.write('\x01vorbis', 0, 'latin1')
  head.writeUInt8(1, 11)
  head.writeUInt32LE(sampleRate, 12)
  head.writeUInt8((Math.log2(longBlock) << 4) | 8, 28)
  head.writeUInt8(1, 29)
  return head
}
