import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { boundAudioSeconds } from '../../packages/service/src/providers/input/audio/audio-seconds.js'
import { hostileAudio } from '../harness/media/hostile-audio.js'
import { ordinaryAudio } from '../harness/media/ordinary-audio.js'

// A second opinion on the files: `FFMPEG=ffmpeg npx vitest run test/process/media-ffmpeg.test.ts`. Left out where it is not asked for.
const { FFMPEG: ffmpeg = '' } = process.env

function play(bytes: Buffer): number {
  const args = ['-v', 'quiet', '-i', '-', '-f', 's16le', '-ac', '1', '-ar', '16000', '-']
  const { stdout, error } = spawnSync(ffmpeg, args, { input: bytes, maxBuffer: 1024 ** 3 })
  // It stops reading where it finds no format.
  if (error && !error.message.endsWith('EPIPE')) throw error
  return stdout.length / 32_000
}

describe.runIf(ffmpeg !== '')('what ffmpeg plays', () => {
  const files = [...hostileAudio, ...ordinaryAudio]
  test.each(files.map((each) => [each.name, each] as const))(
    'is not above the bound: %s',
    async (_, { bytes, declared, seconds, isRare }) => {
      const played = play(bytes)
      // A decoder makes up to a frame more of the end.
      const bound = (await boundAudioSeconds(bytes, declared)) ?? Number.POSITIVE_INFINITY
      expect(bound).toBeGreaterThanOrEqual(played - 0.1)
      if (!isRare) expect(played).toBeGreaterThanOrEqual(0.99 * seconds)
    },
  )
})
