/** In pixels. */
export interface ImageSize {
  width: number
  height: number
}

/**
 * Reads the size of an image from its bytes: null when they cannot be understood, `none` when they are not an
 * image.
 */
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

/** Returns null when a second header follows, because some decoders use the last one. */
function readPng(bytes: Buffer): ImageSize | null {
  if (bytes.length < 33 || bytes.readUInt32BE(8) !== 13 || textAt(bytes, 12, 4) !== 'IHDR') return null
  if (bytes.indexOf('IHDR', 16, 'latin1') >= 0) return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/**
 * Returns the largest size of all frame headers in the file, at any position: decoders differ in what they skip,
 * and pixel data cannot contain such a header. Null when the height is given only after the pixels.
 */
function readJpeg(bytes: Buffer): ImageSize | null {
  let [width, height] = [0, 0]
  for (let at = bytes.indexOf(0xff, 2); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0
    const length = (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0)
    if (marker === 0xdc && length === 4) return null
    if (!isStartOfFrame(marker) || at + 9 >= bytes.length || length !== 8 + 3 * (bytes[at + 9] ?? 0)) continue
    if (bytes.readUInt16BE(at + 5) === 0) return null
    width = Math.max(width, bytes.readUInt16BE(at + 7))
    height = Math.max(height, bytes.readUInt16BE(at + 5))
  }
  return { width, height }
}

const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/**
 * Returns the largest of the screen and all frames, since a frame may exceed the screen. Null for an unknown block.
 */
function readGif(bytes: Buffer): ImageSize | null {
  if (bytes.length < 14) return null
  let [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]
  for (let at = 13 + colorTableBytes(bytes[10]); bytes[at] !== 0x3b; ) {
    if (bytes[at] === 0x21) at = endOfGifBlocks(bytes, at + 2)
    else if (bytes[at] === 0x2c && at + 10 < bytes.length) {
      width = Math.max(width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5))
      height = Math.max(height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7))
      at = endOfGifBlocks(bytes, at + 11 + colorTableBytes(bytes[at + 9]))
    } else return null
  }
  return { width, height }
}

const colorTableBytes = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

function endOfGifBlocks(bytes: Buffer, start: number): number {
  let at = start
  for (let length = bytes[at]; length !== undefined && length > 0; length = bytes[at]) at += 1 + length
  return at + 1
}

/**
 * Returns the largest of the canvas and all images in it, since some decoders return a single image. Null for an
 * unknown chunk.
 */
function readWebp(bytes: Buffer): ImageSize | null {
  if (textAt(bytes, 0, 4) !== 'RIFF') return null
  let [width, height] = [0, 0]
  for (let at = 12; at < bytes.length; ) {
    if (at + 8 > bytes.length) return null
    const [name, size] = [textAt(bytes, at, 4), bytes.readUInt32LE(at + 4)]
    const data = bytes.subarray(at + 8, at + 8 + size)
    if (data.length < size || !webpChunks.has(name)) return null
    const found = readWebpChunk(name, data)
    if (found === null) return null
    width = Math.max(width, found.width)
    height = Math.max(height, found.height)
    // The image of a frame follows the frame's own header.
    at += name === 'ANMF' ? 8 + 16 : 8 + size + (size % 2)
  }
  return { width, height }
}

const webpChunks = new Set(['VP8X', 'VP8L', 'VP8 ', 'ANMF', 'ANIM', 'ALPH', 'ICCP', 'EXIF', 'XMP '])

function readWebpChunk(name: string, data: Buffer): ImageSize | null {
  if (name === 'VP8X' && data.length >= 10)
    return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
  if (name === 'ANMF' && data.length >= 16)
    return { width: data.readUIntLE(6, 3) + 1, height: data.readUIntLE(9, 3) + 1 }
  if (name === 'VP8L' && data.length >= 5 && data[0] === 0x2f) {
    const packed = data.readUInt32LE(1)
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
  }
  if (name === 'VP8 ' && data.length >= 10 && data.readUIntBE(3, 3) === 0x9d012a)
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
  const holdsSize = name.startsWith('VP8') || name === 'ANMF'
  return holdsSize ? null : { width: 0, height: 0 }
}

const textAt = (bytes: Buffer, at: number, length: number): string =>
  bytes.toString('latin1', at, at + length)
