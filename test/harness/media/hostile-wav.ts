import {
  ac3Frames,
  ac3Seconds,
  adtsFrames,
  adtsSeconds,
  frameKinds,
  mpegFrames,
  transportPackets,
} from './make-mpeg.js'
import { chunk, extension, riff, tags, wavFormat, wavOf } from './make-wav.js'
import type { Recording } from './recording.js'

const { thin, thinLayerTwo } = frameKinds

// Two minutes in each: what the hour of an attack is built from.
const count = 3_333
const thinStream = mpegFrames(thin, count)
const thinSeconds = count * thin.seconds
const loud = { channels: 8, sampleRate: 192_000 }
const isRare = true

const wav = (name: string, bytes: Buffer, seconds: number, extra: { isRare?: true } = {}): Recording => ({
  name: `WAV: ${name}`,
  bytes,
  declared: 'wav',
  seconds,
  ...extra,
})

const silence = Buffer.alloc(320_000)

export const hostileWavs = [
  wav('MP3 behind a header of 768 kHz', wavOf({ channels: 2, sampleRate: 768_000 }, thinStream), thinSeconds),
  wav('MP3 behind a header of 192 kHz and 8 channels', wavOf(loud, thinStream), thinSeconds),
  wav('MP3 behind the header of a CD', wavOf({ channels: 2, sampleRate: 44_100 }, thinStream), thinSeconds),
  wav('MP3 by its tag', wavOf({ ...loud, tag: tags.mp3 }, thinStream), thinSeconds),
  wav(
    'MP3 by its extension',
    wavOf({ ...loud, tag: tags.extensible, extra: extension(16, tags.mp3) }, thinStream),
    thinSeconds,
  ),
  wav(
    'MP3 after a second of silence',
    wavOf(loud, Buffer.concat([Buffer.alloc(32_000), thinStream])),
    thinSeconds,
    { isRare },
  ),
  wav('layer II', wavOf(loud, mpegFrames(thinLayerTwo, 800)), 800 * thinLayerTwo.seconds),
  wav('AAC', wavOf(loud, adtsFrames(1_000)), 1_000 * adtsSeconds, { isRare }),
  wav('AC-3', wavOf(loud, ac3Frames(1_000)), 1_000 * ac3Seconds, { isRare }),
  wav('AC-3 in the other byte order', wavOf(loud, ac3Frames(1_000, true)), 1_000 * ac3Seconds, { isRare }),
  wav('a transport stream', wavOf(loud, transportPackets(1_000)), 60, { isRare }),
  wav(
    'samples of 8 valid bits of 32',
    wavOf({ tag: tags.extensible, bits: 32, extra: extension(8, tags.pcm) }, silence),
    silence.length / 16_000,
  ),
  wav('A-law of 16 bits', wavOf({ tag: tags.alaw, bits: 16 }, silence), silence.length / 16_000),
  wav('samples of 4 bits', wavOf({ bits: 4 }, silence), silence.length / 16_000),
  wav(
    'a second format, slower than the first',
    riff('WAVE', [
      chunk('fmt ', wavFormat(loud)),
      chunk('fmt ', wavFormat({ bits: 8 })),
      chunk('data', silence),
    ]),
    silence.length / 16_000,
    { isRare },
  ),
  wav(
    'a slower file after the first',
    Buffer.concat([wavOf(loud, Buffer.alloc(16)), wavOf({ bits: 8 }, silence)]),
    silence.length / 16_000,
    { isRare },
  ),
  wav(
    'another encoding in a chunk before the format',
    riff('WAVE', [chunk('XMA2', Buffer.alloc(44)), chunk('fmt ', wavFormat(loud)), chunk('data', silence)]),
    60,
    { isRare },
  ),
  wav(
    'samples before their format',
    riff('WAVE', [chunk('data', silence), chunk('fmt ', wavFormat({ bits: 8 }))]),
    silence.length / 16_000,
    { isRare },
  ),
  wav(
    'a slower format among samples of no declared length',
    riff('WAVE', [
      chunk('fmt ', wavFormat(loud)),
      chunk('data', Buffer.alloc(0)),
      chunk('fmt ', wavFormat({ bits: 8 })),
      chunk('data', silence),
    ]),
    silence.length / 16_000,
    { isRare },
  ),
  wav(
    'a header that claims two bytes',
    riff('WAVE', [chunk('fmt ', wavFormat({})), chunk('data', silence, 2)]),
    silence.length / 32_000,
    { isRare },
  ),
  {
    ...wav('one that is declared as MP3', wavOf(loud, thinStream), thinSeconds),
    declared: 'mp3',
  },
]

/** The WAV file of 8 kbit/s that a header of 768 kHz hides. */
export const [hostileWav] = hostileWavs
