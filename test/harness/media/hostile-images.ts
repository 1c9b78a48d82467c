import { makeGif, makeJpeg, makePng, makeWebp } from '../billing/make-files.js'
import { chunk, riff } from './make-wav.js'

/** An image that looks smaller than what some decoder makes of it. */
export interface Image {
  name: string
  bytes: Buffer
  width: number
  height: number
}

const [width, height] = [4_000, 3_000]
const large = { width, height }

const uint16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, 2 * index)
  return bytes
}
const small = makeJpeg(16, 16)
/** From its header on, without the start and the thumbnail. */
const largeFrame = makeJpeg(width, height).subarray(-15)
const jpegStart = small.subarray(0, -2)
const scan = Buffer.from('ffda0008010100003f00d2ffd9', 'hex')

const lossy = (wide: number, high: number): Buffer => {
  const bytes = Buffer.alloc(10)
  bytes.set([0x9d, 0x01, 0x2a], 3)
  bytes.writeUInt16LE(wide, 6)
  bytes.writeUInt16LE(high, 8)
  return chunk('VP8 ', bytes)
}
const lossless = (wide: number, high: number): Buffer => {
  const bytes = Buffer.alloc(6)
  bytes[0] = 0x2f
  bytes.writeUInt32LE((wide - 1) | ((high - 1) << 14), 1)
  return chunk('VP8L', bytes)
}
const canvas = makeWebp(16, 16).subarray(12)
const animationFrame = (wide: number, high: number, image: Buffer): Buffer => {
  const head = Buffer.alloc(16)
  head.writeUIntLE(wide - 1, 6, 3)
  head.writeUIntLE(high - 1, 9, 3)
  return chunk('ANMF', Buffer.concat([head, image]))
}

/** A frame of a GIF, with no pixels in it. */
export const gifFrame = (wide: number, high: number): Buffer => {
  const bytes = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0])
  bytes.writeUInt16LE(wide, 5)
  bytes.writeUInt16LE(high, 7)
  return bytes
}
const gifOf = (...frames: readonly Buffer[]): Buffer => {
  const empty = makeGif(16, 16)
  return Buffer.concat([empty.subarray(0, 13), ...frames, empty.subarray(13)])
}

const png = makePng(16, 16)
const secondHeader = makePng(width, height).subarray(8, 33)

export const hostileImages: readonly Image[] = [
  {
    name: 'PNG: a second header',
    bytes: Buffer.concat([png.subarray(0, 33), secondHeader, png.subarray(33)]),
    ...large,
  },
  { name: 'JPEG: a second frame header', bytes: Buffer.concat([jpegStart, largeFrame, scan]), ...large },
  {
    name: 'JPEG: a frame header after the end of the first image',
    bytes: Buffer.concat([small, largeFrame, scan]),
    ...large,
  },
  {
    name: 'JPEG: a frame header in a segment that some decoders pass over',
    bytes: Buffer.concat([jpegStart, uint16(0xfff0, 2 + largeFrame.length), largeFrame, scan]),
    ...large,
  },
  {
    name: 'JPEG: a frame header after other bytes',
    bytes: Buffer.concat([jpegStart, Buffer.from('between'), largeFrame, scan]),
    ...large,
  },
  {
    name: 'JPEG: a height that follows the pixels',
    bytes: Buffer.concat([
      makeJpeg(width, 1).subarray(0, -2),
      scan.subarray(0, -2),
      uint16(0xffdc, 4, height, 0xffd9),
    ]),
    ...large,
  },
  { name: 'JPEG: no height', bytes: Buffer.concat([makeJpeg(width, 0).subarray(0, -2), scan]), ...large },
  { name: 'GIF: a frame larger than the screen', bytes: gifOf(gifFrame(width, height)), ...large },
  {
    name: 'GIF: a larger frame after the first',
    bytes: gifOf(gifFrame(16, 16), gifFrame(width, height)),
    ...large,
  },
  {
    name: 'WebP: an image larger than the canvas',
    bytes: riff('WEBP', [canvas, lossy(width, height)]),
    ...large,
  },
  {
    name: 'WebP: a lossless image larger than the canvas',
    bytes: riff('WEBP', [canvas, lossless(width, height)]),
    ...large,
  },
  {
    name: 'WebP: a larger image after the first',
    bytes: riff('WEBP', [lossy(16, 16), lossless(width, height)]),
    ...large,
  },
  {
    name: 'WebP: an animation with a frame larger than the canvas',
    bytes: riff('WEBP', [canvas, animationFrame(width, height, lossy(16, 16))]),
    ...large,
  },
  {
    name: 'WebP: an animation with an image larger than its frame',
    bytes: riff('WEBP', [canvas, animationFrame(16, 16, lossy(width, height))]),
    ...large,
  },
  { name: 'BMP', bytes: Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]), ...large },
  { name: 'TIFF', bytes: Buffer.concat([Buffer.from('II*\0', 'latin1'), Buffer.alloc(60)]), ...large },
  {
    name: 'AVIF',
    bytes: Buffer.concat([Buffer.from('\0\0\0\x1cftypavif', 'latin1'), Buffer.alloc(60)]),
    ...large,
  },
]

/** Images as programs write them: their bound is their size. */
export const ordinaryImages: readonly Image[] = [
  { name: 'PNG', bytes: makePng(1_200, 800), width: 1_200, height: 800 },
  {
    name: 'JPEG with a thumbnail',
    bytes: Buffer.concat([makeJpeg(1_200, 800).subarray(0, -2), scan]),
    width: 1_200,
    height: 800,
  },
  { name: 'GIF', bytes: gifOf(gifFrame(16, 16)), width: 16, height: 16 },
  {
    name: 'WebP, extended',
    bytes: riff('WEBP', [makeWebp(1_200, 800).subarray(12), lossy(1_200, 800)]),
    width: 1_200,
    height: 800,
  },
  { name: 'WebP, lossy', bytes: riff('WEBP', [lossy(1_200, 800)]), width: 1_200, height: 800 },
  { name: 'WebP, lossless', bytes: riff('WEBP', [lossless(1_200, 800)]), width: 1_200, height: 800 },
]
