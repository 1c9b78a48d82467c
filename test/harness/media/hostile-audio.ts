import { flacSilence, samplesPerFrame } from './make-flac.js'
import { mp4Repeating } from './make-mp4.js'
import {
  ac3Frames,
  ac3Seconds,
  adtsFrames,
  adtsSeconds,
  frameKinds,
  id3Tag,
  mpegFrame,
  mpegFrames,
  transportPackets,
} from './make-mpeg.js'
import { oggOpus, oggPage, opusHead, silentPacket, vorbisHead } from './make-ogg.js'
import { chunk, extension, riff, tags, wavFormat, wavOf } from './make-wav.js'
import { cluster, element, simpleBlock, webmOf } from './make-webm.js'

/** A recording that looks shorter than it plays. */
export interface Recording {
  name: string
  bytes: Buffer
  /** Extension or format that the caller declares. */
  declared: string
  /** How long a decoder plays it. */
  seconds: number
  /** A decoder that ffmpeg is not would play it for as long. */
  isRare?: true
}

const { thin, thinnest, thinLayerTwo, usual, thick, free } = frameKinds

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

const wavs = [
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

const mp3s = [
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

const packets = Array.from({ length: 1_000 }, () => silentPacket)
const opusSeconds = 1_000 * 0.12
const opusOf = (
  name: string,
  bytes: Buffer,
  seconds = opusSeconds,
  extra: { isRare?: true } = {},
): Recording => ({
  name: `Ogg: ${name}`,
  bytes,
  declared: 'ogg',
  seconds,
  ...extra,
})

const hiddenPage = Buffer.concat([oggPage({ packets: packets.slice(0, 60) }), Buffer.alloc(20)])

const oggs = [
  opusOf('two bytes for 120 ms, positions of zero', oggOpus(packets)),
  opusOf(
    'positions that go back',
    oggOpus(packets, (before) => BigInt(1_000 - before)),
  ),
  opusOf(
    'a position of a year',
    oggOpus(packets.slice(0, 10), () => 48_000n * 31_536_000n),
    31_536_000,
    { isRare },
  ),
  opusOf(
    'pages inside of packets',
    oggOpus(
      Array.from({ length: 10 }, () => hiddenPage),
      undefined,
      1,
    ),
    10 * 60 * 0.12,
    { isRare },
  ),
  opusOf('empty packets', oggOpus(packets.map(() => Buffer.alloc(0))), opusSeconds, { isRare }),
  opusOf(
    'Vorbis with long blocks at 1 kHz',
    Buffer.concat([
      oggPage({ isFirst: true, packets: [vorbisHead(1_000, 8_192)] }),
      oggPage({ packets: Array.from({ length: 200 }, () => Buffer.alloc(1)) }),
    ]),
    200 * 4.096,
    { isRare },
  ),
  opusOf(
    'Vorbis and Opus by one number',
    Buffer.concat([
      oggPage({ isFirst: true, packets: [opusHead] }),
      oggPage({ isFirst: true, packets: [vorbisHead(1_000, 8_192)] }),
      oggPage({ packets: Array.from({ length: 200 }, () => Buffer.alloc(1)) }),
    ]),
    200 * 4.096,
    { isRare },
  ),
  opusOf(
    'another codec',
    Buffer.concat([
      oggPage({ isFirst: true, packets: [Buffer.from('Speex   1.2rc1')] }),
      oggPage({ packets: packets.slice(0, 200) }),
    ]),
    60,
    { isRare },
  ),
]

const flac = (name: string, options: Parameters<typeof flacSilence>[0], seconds: number): Recording => ({
  name: `FLAC: ${name}`,
  bytes: flacSilence(options),
  declared: 'flac',
  seconds,
})

const flacs = [
  flac('silence of unknown length', { sampleRate: 16_000, frames: 100 }, (100 * samplesPerFrame) / 16_000),
  flac(
    'silence that claims a second',
    { sampleRate: 8_000, frames: 100, totalSamples: 8_000 },
    (100 * samplesPerFrame) / 8_000,
  ),
  {
    ...flac(
      'a slower rate in its frames',
      { sampleRate: 192_000, frames: 40, frameRate: 8_000 },
      (40 * samplesPerFrame) / 8_000,
    ),
    isRare,
  },
  {
    ...flac('a length of a day', { sampleRate: 8_000, frames: 1, totalSamples: 8_000 * 86_400 }, 86_400),
    isRare,
  },
] satisfies Recording[]

const blocks = packets.map((packet) => simpleBlock(packet))
const webm = (
  name: string,
  bytes: Buffer,
  seconds = opusSeconds,
  extra: { isRare?: true } = {},
): Recording => ({
  name: `WebM: ${name}`,
  bytes,
  declared: 'webm',
  seconds,
  ...extra,
})

const webms = [
  webm('two bytes for 120 ms, no duration', webmOf([cluster(blocks)])),
  webm('a duration of a second', webmOf([cluster(blocks)], { durationMs: 1_000 })),
  webm('a duration of a day', webmOf([cluster(blocks)], { durationMs: 86_400_000 }), 86_400, { isRare }),
  webm(
    'a cluster in a year',
    webmOf([cluster(blocks.slice(0, 1)), cluster(blocks.slice(0, 1), 31_536_000_000)]),
    31_536_000,
    {
      isRare,
    },
  ),
  webm(
    'several packets in a block',
    webmOf([cluster([simpleBlock(Buffer.concat([Buffer.from([99]), ...packets.slice(0, 100)]), 0x84)])]),
    12,
  ),
  webm(
    'clusters in an element that is passed over',
    webmOf([cluster(blocks.slice(0, 1)), element('ec', cluster(blocks, 0, false))]),
    opusSeconds,
    { isRare },
  ),
  webm(
    'encoded blocks',
    webmOf([cluster(blocks)], { track: [element('6d80', Buffer.alloc(4))] }),
    opusSeconds,
    { isRare },
  ),
  webm('another codec', webmOf([cluster(blocks)], { codec: 'A_AAC' }), opusSeconds, { isRare }),
]

const repeating = mp4Repeating(50, 20)

const others: Recording[] = [
  { name: 'MP4: the same bytes many times', ...repeating, declared: 'm4a' },
  { name: 'MP4: one that is declared as WAV', ...repeating, declared: 'wav' },
  { name: 'AAC', bytes: adtsFrames(1_000), declared: 'aac', seconds: 1_000 * adtsSeconds, isRare },
  {
    name: 'AMR',
    bytes: Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(5_000, 0x7c)]),
    declared: 'amr',
    seconds: 100,
    isRare,
  },
]

/** The WAV file of 8 kbit/s that a header of 768 kHz hides. */
export const [hostileWav] = wavs

export const hostileAudio: readonly Recording[] = [...wavs, ...mp3s, ...oggs, ...flacs, ...webms, ...others]
