import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeGif, makeJpeg, makePng, makeWebp } from '../../../../../test/harness/billing/make-files.js'
import { hostileImages, ordinaryImages } from '../../../../../test/harness/media/hostile-images.js'
import { readImageSize } from './image-size.js'

describe('the size of an image', () => {
  test.each(ordinaryImages.map((image) => [image.name, image] as const))(
    'is read from the bytes of a %s',
    (_, { bytes, width, height }) => {
      expect(readImageSize(bytes)).toEqual({ width, height })
    },
  )

  test.each(hostileImages.map((image) => [image.name, image] as const))(
    'is never below what a decoder can make of it: %s',
    (_, { bytes, width, height }) => {
      const size = readImageSize(bytes)
      // Either counts as the largest that the model takes.
      if (size === null || size === 'none') return
      expect(size.width).toBeGreaterThanOrEqual(width)
      expect(size.height).toBeGreaterThanOrEqual(height)
    },
  )

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
