import { hostileMp3s } from './hostile-mp3.js'
import { hostileWavs } from './hostile-wav.js'
import { flacSilence, samplesPerFrame } from './make-flac.js'
import { mp4Repeating } from './make-mp4.js'
import { adtsFrames, adtsSeconds } from './make-mpeg.js'
import { oggOpus, oggPage, opusHead, silentPacket, vorbisHead } from './make-ogg.js'
import { cluster, element, simpleBlock, webmOf } from './make-webm.js'
import type { Recording } from './recording.js'

const isRare = true

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

export const hostileAudio: readonly Recording[] = [
  ...hostileWavs,
  ...hostileMp3s,
  ...oggs,
  ...flacs,
  ...webms,
  ...others,
]
