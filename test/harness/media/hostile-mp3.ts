import { flacSilence } from './make-flac.js'
import {
  adtsFrames,
  adtsSeconds,
  frameKinds,
  id3Tag,
  mpegFrame,
  mpegFrames,
  transportPackets,
} from './make-mpeg.js'
import type { Recording } from './recording.js'

const { thin, thinnest, thinLayerTwo, usual, thick, free } = frameKinds

const count = 3_333
const thinStream = mpegFrames(thin, count)
const thinSeconds = count * thin.seconds
const isRare = true

const mp3 = (name: string, bytes: Buffer, seconds: number, extra: { isRare?: true } = {}): Recording => ({
  name: `MP3: ${name}`,
  bytes,
  declared: 'mp3',
  seconds,
  ...extra,
})

/** Fast frames that stand alone, with slow ones inside. */
const nested = Buffer.concat(
  Array.from({ length: 100 }, () => Buffer.concat([mpegFrame(thick, mpegFrames(thin, 28)), Buffer.alloc(3)])),
)

export const hostileMp3s = [
  mp3('8 kbit/s', thinStream, thinSeconds),
  mp3('8 kbit/s at 8 kHz', mpegFrames(thinnest, 1_000), 1_000 * thinnest.seconds),
  mp3('layer II at 8 kbit/s', mpegFrames(thinLayerTwo, 800), 800 * thinLayerTwo.seconds),
  mp3('free format', mpegFrames(free, 2_000), 2_000 * free.seconds, { isRare }),
  mp3(
    'free format after some frames',
    Buffer.concat([mpegFrames(thin, 4), mpegFrames(free, 2_000)]),
    2_000 * free.seconds,
    { isRare },
  ),
  mp3(
    'frames in a tag whose length is none',
    Buffer.concat([id3Tag(thinStream, 0, 0x80), mpegFrames(usual, 10)]),
    thinSeconds,
  ),
  mp3('frames in a tag', Buffer.concat([id3Tag(thinStream), mpegFrames(usual, 10)]), thinSeconds, { isRare }),
  mp3(
    'a tag with a footer',
    Buffer.concat([id3Tag(Buffer.alloc(100), 0x10), mpegFrames(thick, 2), thinStream]),
    thinSeconds,
  ),
  mp3('frames in frames', Buffer.concat([mpegFrames(thick, 2), nested]), 2_800 * thin.seconds, { isRare }),
  mp3(
    'frames between other bytes',
    Buffer.concat([
      mpegFrames(thin, 10),
      ...Array.from({ length: 1_000 }, () => Buffer.concat([Buffer.alloc(1), mpegFrame(thin)])),
    ]),
    1_000 * thin.seconds,
  ),
  mp3('a transport stream', Buffer.concat([mpegFrames(thick, 3), transportPackets(300)]), 60, { isRare }),
  mp3('AAC', Buffer.concat([mpegFrames(thick, 3), adtsFrames(2_000)]), 2_000 * adtsSeconds, { isRare }),
  mp3(
    'FLAC after a tag',
    Buffer.concat([id3Tag(Buffer.alloc(10)), flacSilence({ sampleRate: 8_000, frames: 20 })]),
    160,
  ),
]
