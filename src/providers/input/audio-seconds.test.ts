import { describe, expect, test } from 'vitest'
import { makeWav } from '../../../test/harness/billing/make-files.js'
import { knownAudioSeconds, readAudioSeconds } from './audio-seconds.js'

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

describe('the length of a recording is known', () => {
  test('of plain samples, and of MP3 from its first frame on', () => {
    expect(knownAudioSeconds(makeWav(20))).toBeCloseTo(20, 5)
    expect(knownAudioSeconds(frames(100))).toBeCloseTo((100 * 1152) / 44_100, 5)
    const tagged = Buffer.concat([frames(100), Buffer.from('TAG'), Buffer.alloc(125)])
    expect(knownAudioSeconds(tagged)).toBeGreaterThan((100 * 1152) / 44_100)
  })

  test('of nothing else, whatever stands before or after it', () => {
    const other = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(100_000, 'x')])
    const contradicting = makeWav(2)
    contradicting.writeUInt32LE(4_000_000_000, 28)
    for (const bytes of [
      Buffer.alloc(0),
      other,
      contradicting,
      frames(1),
      Buffer.concat([other, frames(100)]),
      Buffer.concat([frames(100), other]),
      Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x04abcd', 'latin1'), other]),
    ])
      expect(knownAudioSeconds(bytes)).toBeNull()
  })
})
