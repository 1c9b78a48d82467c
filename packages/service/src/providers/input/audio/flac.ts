const namedRates: readonly (number | null)[] = [
  ...[null, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000],
]
/** A frame header is at most 16 bytes long. */
const maxHeaderBytes = 16

/**
 * Returns the seconds of a FLAC file: the samples of every frame header with a valid checksum, at any position.
 * Silence takes almost no bytes, so the file size proves nothing.
 */
export function flacSeconds(bytes: Buffer): number | null {
  // STREAMINFO comes first and has 34 bytes.
  if (bytes.length < 42 || (bytes.readUInt8(4) & 0x7f) !== 0 || bytes.readUIntBE(5, 3) !== 34) return null
  const sampleRate = bytes.readUIntBE(18, 3) >> 4
  if (sampleRate === 0) return null
  const declaredSamples = (bytes.readUInt8(21) & 0x0f) * 2 ** 32 + bytes.readUInt32BE(22)
  let seconds = 0
  for (let at = bytes.indexOf(0xff, 42); at >= 0; at = bytes.indexOf(0xff, at + 1))
    if (((bytes[at + 1] ?? 0) & 0xfe) === 0xf8)
      seconds += frameSeconds(bytes.subarray(at, at + maxHeaderBytes), sampleRate)
  return Math.max(seconds, declaredSamples / sampleRate)
}

/** Returns 0 when this is not a frame header. */
function frameSeconds(head: Buffer, declaredRate: number): number {
  const [, , sizes = 0, , number = 0] = head
  const [blockCode, rateCode] = [sizes >> 4, sizes & 15]
  // The frame number is encoded like a UTF-8 character.
  const numberBytes = number < 0x80 ? 1 : Math.clz32(~(number << 24))
  const blockAt = 4 + numberBytes
  const rateAt = blockAt + (blockCode === 6 ? 1 : blockCode === 7 ? 2 : 0)
  const end = rateAt + (rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0)
  if (blockCode === 0 || rateCode === 15 || end >= head.length || crc8(head.subarray(0, end)) !== head[end])
    return 0
  const blockSize =
    blockCode === 6
      ? head.readUInt8(blockAt) + 1
      : blockCode === 7
        ? head.readUInt16BE(blockAt) + 1
        : blockCode === 1
          ? 192
          : blockCode < 6
            ? 144 << blockCode
            : 1 << blockCode
  const sampleRate =
    rateCode === 12
      ? head.readUInt8(rateAt) * 1000
      : rateCode === 13
        ? head.readUInt16BE(rateAt)
        : rateCode === 14
          ? head.readUInt16BE(rateAt) * 10
          : (namedRates[rateCode] ?? declaredRate)
  return blockSize / Math.max(1, Math.min(sampleRate, declaredRate))
}

function crc8(bytes: Buffer): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x80 ? 0x07 : 0)) & 0xff
  }
  return crc
}
