import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeGif, makeJpeg, makePng, makeWebp } from '../../../test/harness/billing/make-files.js'
import { readImageSize } from './image-size.js'

/** A lossless WebP: 14 bits for each side, less one. */
function makeLosslessWebp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(30)
  bytes.write('RIFF\0\0\0\0WEBPVP8L', 0, 'latin1')
  bytes[20] = 0x2f
  bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21)
  return bytes
}

function makeLossyWebp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(30)
  bytes.write('RIFF\0\0\0\0WEBPVP8 ', 0, 'latin1')
  bytes.set([0x9d, 0x01, 0x2a], 23)
  bytes.writeUInt16LE(width, 26)
  bytes.writeUInt16LE(height, 28)
  return bytes
}

describe('the size of an image', () => {
  test.each([
    ['PNG', makePng],
    ['JPEG, past its thumbnail', makeJpeg],
    ['GIF', makeGif],
    ['WebP', makeWebp],
    ['lossless WebP', makeLosslessWebp],
    ['lossy WebP', makeLossyWebp],
  ])('is read from the bytes of a %s', (_, make) => {
    expect(readImageSize(make(1200, 77))).toEqual({ width: 1200, height: 77 })
  })

  test('of a GIF is that of its frame, where that is larger than the screen', () => {
    const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0x00, 0x10, 0x00, 0x08, 0])
    const gif = Buffer.concat([makeGif(10, 10).subarray(0, 13), frame])
    expect(readImageSize(gif)).toEqual({ width: 4096, height: 2048 })
  })

  test('of a JPEG is the largest that any of its headers declares', () => {
    const jpeg = Buffer.concat([makeJpeg(30, 20).subarray(0, -2), makeJpeg(10, 4000).subarray(2)])
    expect(readImageSize(jpeg)).toEqual({ width: 30, height: 4000 })
  })

  test('is not known where the header is cut, zero or nonsense', () => {
    expect(readImageSize(makePng(5, 5).subarray(0, 20))).toBeNull()
    expect(readImageSize(makeGif(0, 5))).toBeNull()
    expect(readImageSize(Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]))).toBeNull()
    expect(readImageSize(Buffer.from('RIFF\0\0\0\0WEBPwhatever it is that follows', 'latin1'))).toBeNull()
  })

  test('there is none of what is no image', () => {
    expect(readImageSize(Buffer.from('Tally sticks were split in two'))).toBe('none')
    expect(readImageSize(Buffer.alloc(0))).toBe('none')
  })

  test('is read from any bytes without a failure', () => {
    const signature = fc.constantFrom(
      ...[makePng, makeJpeg, makeGif, makeWebp].map((make) => make(9, 9).subarray(0, 13)),
    )
    fc.assert(
      fc.property(signature, fc.uint8Array({ maxLength: 60 }), (start, rest) => {
        const size = readImageSize(Buffer.concat([start, rest]))
        if (size !== null && size !== 'none') expect(size.width * size.height).toBeGreaterThan(0)
      }),
    )
  })
})
