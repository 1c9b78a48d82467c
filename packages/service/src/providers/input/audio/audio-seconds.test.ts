import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileAudio } from '../../../../../../test/harness/media/hostile-audio.js'
import { frameKinds, mpegFrames } from '../../../../../../test/harness/media/make-mpeg.js'
import { wavOf } from '../../../../../../test/harness/media/make-wav.js'
import { ordinaryAudio } from '../../../../../../test/harness/media/ordinary-audio.js'
import { boundAudioSeconds } from './audio-seconds.js'

describe('a recording that looks shorter than it plays', () => {
  test.each(hostileAudio.map((each) => [each.name, each] as const))(
    'has no bound below its length: %s',
    async (_, { bytes, declared, seconds }) => {
      const bound = await boundAudioSeconds(bytes, declared)
      expect(bound ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(seconds - 1e-6)
    },
  )
})

describe('an ordinary recording', () => {
  test.each(ordinaryAudio.map((each) => [each.name, each] as const))(
    'has a bound close to its length: %s',
    async (_, { bytes, declared, seconds, factor }) => {
      const bound = await boundAudioSeconds(bytes, declared)
      expect(bound).toBeGreaterThanOrEqual(seconds - 1e-6)
      expect(bound).toBeLessThanOrEqual(seconds * factor + 0.5)
    },
  )

  test('is of unknown length where its name says another format than its bytes', async () => {
    for (const { bytes } of ordinaryAudio) expect(await boundAudioSeconds(bytes, 'm4a')).toBeNull()
    expect(await boundAudioSeconds(wavOf({}, Buffer.alloc(32_000)), 'mp3')).toBeNull()
  })

  test('is of unknown length where much of an MP3 file is no frame', async () => {
    const other = Buffer.alloc(100_000, 'x')
    const frames = mpegFrames(frameKinds.usual, 100)
    expect(await boundAudioSeconds(Buffer.concat([other, frames]), 'mp3')).toBeNull()
    expect(await boundAudioSeconds(Buffer.concat([frames, other]), 'mp3')).toBeNull()
    expect(await boundAudioSeconds(mpegFrames(frameKinds.usual, 1), 'mp3')).toBeNull()
    expect(await boundAudioSeconds(Buffer.alloc(0), '')).toBeNull()
  })
})

test('any bytes are read without a failure', async () => {
  const starts = ordinaryAudio.map(({ bytes }) => bytes.subarray(0, 60))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...starts),
      fc.nat(60),
      fc.uint8Array({ maxLength: 300 }),
      async (start, kept, rest) => {
        const bound = await boundAudioSeconds(Buffer.concat([start.subarray(0, kept), rest]), '')
        if (bound !== null) expect(bound).toBeGreaterThanOrEqual(0)
      },
    ),
  )
})
