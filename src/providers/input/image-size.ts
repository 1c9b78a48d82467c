/** Pixels. */
export interface ImageSize {
  width: number
  height: number
}

/** What the bytes of an image say of its size: null when they cannot be understood, `none` when they are no image at all. */
export function readImageSize(bytes: Buffer): ImageSize | null | 'none' {
  for (const { signature, at, read } of formats) {
    if (!bytes.subarray(at, at + signature.length).equals(signature)) continue
    const size = read(bytes)
    return size !== null && size.width > 0 && size.height > 0 ? size : null
  }
  return 'none'
}

const formats = [
  { signature: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), at: 0, read: readPng },
  { signature: Buffer.from([0xff, 0xd8, 0xff]), at: 0, read: readJpeg },
  { signature: Buffer.from('GIF8'), at: 0, read: readGif },
  { signature: Buffer.from('WEBP'), at: 8, read: readWebp },
]

function readPng(bytes: Buffer): ImageSize | null {
  if (bytes.length < 33 || bytes.readUInt32BE(8) !== 13 || textAt(bytes, 12, 4) !== 'IHDR') return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** The largest of all frames that are declared before the picture begins: a decoder may take any of them. */
function readJpeg(bytes: Buffer): ImageSize | null {
  let [width, height] = [0, 0]
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === 0xda) return { width, height }
    const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    const length = isAlone ? 0 : bytes.readUInt16BE(at + 2)
    if (!isAlone && length < 2) return null
    if (isStartOfFrame(marker)) {
      width = Math.max(width, bytes.readUInt16BE(at + 7))
      height = Math.max(height, bytes.readUInt16BE(at + 5))
    }
    at += 2 + length
  }
  return { width, height }
}

const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** A frame may be larger than the screen that is declared for all of them. */
function readGif(bytes: Buffer): ImageSize | null {
  if (bytes.length < 13) return null
  const flags = bytes[10] ?? 0
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  while (bytes[at] === 0x21) at = endOfGifBlocks(bytes, at + 2)
  if (bytes[at] === 0x3b) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  if (bytes[at] !== 0x2c || at + 9 > bytes.length) return null
  return {
    width: Math.max(bytes.readUInt16LE(6), bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5)),
    height: Math.max(bytes.readUInt16LE(8), bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7)),
  }
}

function endOfGifBlocks(bytes: Buffer, start: number): number {
  let at = start
  for (let length = bytes[at]; length !== undefined && length > 0; length = bytes[at]) at += 1 + length
  return at + 1
}

function readWebp(bytes: Buffer): ImageSize | null {
  if (textAt(bytes, 0, 4) !== 'RIFF' || bytes.length < 30) return null
  const chunk = textAt(bytes, 12, 4)
  if (chunk === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (chunk === 'VP8L' && bytes[20] === 0x2f) {
    const packed = bytes.readUInt32LE(21)
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
  }
  if (chunk === 'VP8 ' && bytes.readUIntBE(23, 3) === 0x9d012a)
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  return null
}

const textAt = (bytes: Buffer, at: number, length: number): string =>
  bytes.toString('latin1', at, at + length)
