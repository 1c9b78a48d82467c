import { describe, expect, test } from 'vitest'
import { makeWav } from '../../../test/harness/billing/make-files.js'
import { readAudioSeconds } from './audio-seconds.js'

/** Frames of MPEG-1 layer III at 128 kbit/s and 44,100 Hz: 417 bytes and 1152 samples each. */
const frames = (count: number): Buffer =>
  Buffer.concat(
    Array.from({ length: count }, () => {
      const frame = Buffer.alloc(417)
      frame.set([0xff, 0xfb, 0x90, 0x00])
      return frame
    }),
  )

describe('the seconds of a recording', () => {
  test('of a WAV are its bytes by its rate', () => {
    expect(readAudioSeconds(makeWav(20))).toBeCloseTo(20, 2)
  })

  test('of a WAV that claims few samples are those of all that is there', () => {
    const wav = makeWav(20)
    wav.writeUInt32LE(2, 40)
    expect(readAudioSeconds(wav)).toBeCloseTo(20, 2)
  })

  test('of a WAV whose rates contradict each other are what its bytes can last at most', () => {
    const wav = makeWav(2)
    wav.writeUInt32LE(4_000_000_000, 28)
    expect(readAudioSeconds(wav)).toBeCloseTo(wav.length / 1000, 1)
  })

  test('of an MP3 are those of its frames', () => {
    expect(readAudioSeconds(frames(100))).toBeCloseTo((100 * 1152) / 44_100, 5)
  })

  test('of an MP3 do not count the picture in its tag', () => {
    const tag = Buffer.alloc(10 + 5_000)
    tag.write('ID3\x04\0\0', 0, 'latin1')
    tag.set([0, 0, 5000 >> 7, 5000 & 0x7f], 6)
    expect(readAudioSeconds(Buffer.concat([tag, frames(10)]))).toBeCloseTo((10 * 1152) / 44_100, 5)
  })

  test('of bytes that nobody understands are those of the lowest bitrate', () => {
    expect(readAudioSeconds(Buffer.alloc(50_000, 'x'))).toBeCloseTo(50, 5)
  })
})
