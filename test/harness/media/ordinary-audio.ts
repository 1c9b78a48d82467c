import { flacSilence, samplesPerFrame } from './make-flac.js'
import { frameKinds, id3Tag, mpegFrame } from './make-mpeg.js'
import { oggOpus, oggPage, vorbisHead } from './make-ogg.js'
import { chunk, extension, riff, tags, wavFormat, wavOf } from './make-wav.js'
import { cluster, simpleBlock, webmOf } from './make-webm.js'
import type { Recording } from './recording.js'

/** The same noise in every run: what the content of a real file looks like to a reader. */
function noise(bytes: number, seed: number): Buffer {
  let state = seed
  return Buffer.from(
    Array.from({ length: bytes }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
      return state >>> 24
    }),
  )
}

/** Samples of 16 bits around zero: quiet ones have bytes of all ones in half of their places. */
function samples(count: number, amplitude: number): Buffer {
  const from = noise(2 * count, amplitude)
  const bytes = Buffer.alloc(2 * count)
  for (let at = 0; at < count; at++)
    bytes.writeInt16LE(Math.round((from.readInt16LE(2 * at) / 32_768) * amplitude), 2 * at)
  return bytes
}

const { usual, thick } = frameKinds
const mp3 = (kind: typeof usual | typeof thick, frames: number) =>
  Buffer.concat(Array.from({ length: frames }, (_, index) => mpegFrame(kind, noise(kind.bytes - 36, index))))

/** A packet of 20 ms at 24 kbit/s. */
const packet = (seed: number) => Buffer.concat([Buffer.from([0x78]), noise(59, seed)])
const packets = Array.from({ length: 3_000 }, (_, seed) => packet(seed))
const perCluster = 500
const clusters = Array.from({ length: 6 }, (_, index) =>
  cluster(
    packets.slice(index * perCluster, (index + 1) * perCluster).map((each) => simpleBlock(each)),
    index * 10_000,
  ),
)

/** Recordings as programs write them, and how far above the truth their bound may be. */
export const ordinaryAudio: readonly (Recording & { factor: number })[] = [
  {
    name: 'WAV, 16 kHz',
    bytes: wavOf({}, samples(480_000, 9_000)),
    declared: 'wav',
    seconds: 30,
    factor: 1.01,
  },
  { name: 'WAV, quiet', bytes: wavOf({}, samples(480_000, 12)), declared: 'wav', seconds: 30, factor: 1.01 },
  {
    name: 'WAV, as a CD',
    bytes: wavOf({ channels: 2, sampleRate: 44_100 }, samples(882_000, 30_000)),
    declared: 'wav',
    seconds: 10,
    factor: 1.01,
  },
  {
    name: 'WAV, 24 bits, extensible, with a list before the samples',
    bytes: riff('WAVE', [
      chunk('JUNK', Buffer.alloc(28)),
      chunk(
        'fmt ',
        wavFormat({ tag: tags.extensible, bits: 24, sampleRate: 48_000, extra: extension(24, tags.pcm) }),
      ),
      chunk('LIST', Buffer.from('INFOISFT\x04\0\0\0abcd')),
      chunk('data', noise(1_440_000, 3)),
    ]),
    declared: 'wav',
    seconds: 10,
    factor: 1.01,
  },
  {
    name: 'WAV, of unknown end, without a declared format',
    bytes: riff('WAVE', [chunk('fmt ', wavFormat({})), chunk('data', samples(160_000, 3_000), 0xffffffff)]),
    declared: '',
    seconds: 10,
    factor: 1.01,
  },
  {
    name: 'MP3, 128 kbit/s',
    bytes: mp3(usual, 1_200),
    declared: 'mp3',
    seconds: 1_200 * usual.seconds,
    factor: 1.25,
  },
  {
    name: 'MP3, 320 kbit/s',
    bytes: mp3(thick, 800),
    declared: 'mp3',
    seconds: 800 * thick.seconds,
    factor: 1.5,
  },
  {
    name: 'MP3 with a cover and tags at both ends',
    bytes: Buffer.concat([
      id3Tag(noise(50_000, 9)),
      mp3(usual, 1_200),
      Buffer.from('TAG'),
      Buffer.alloc(125),
    ]),
    declared: 'MP3',
    seconds: 1_200 * usual.seconds,
    factor: 1.3,
  },
  {
    name: 'Ogg with Opus',
    bytes: oggOpus(packets, (before) => BigInt(before * 960), 50),
    declared: 'ogg',
    seconds: 60,
    factor: 1.01,
  },
  {
    name: 'Ogg with Vorbis',
    bytes: Buffer.concat([
      oggPage({ isFirst: true, packets: [vorbisHead(44_100, 2_048)] }),
      ...Array.from({ length: 60 }, (_, page) =>
        oggPage({
          packets: Array.from({ length: 20 }, (_, index) =>
            Buffer.concat([Buffer.from([0]), noise(90, page * 20 + index)]),
          ),
          position: BigInt((page + 1) * 20 * 1_024),
        }),
      ),
    ]),
    declared: 'ogg',
    seconds: (60 * 20 * 1_024) / 44_100,
    factor: 1.01,
    // Its pages have no codebooks.
    isRare: true,
  },
  {
    name: 'FLAC',
    bytes: flacSilence({ sampleRate: 44_100, frames: 30, totalSamples: 30 * samplesPerFrame }),
    declared: 'flac',
    seconds: (30 * samplesPerFrame) / 44_100,
    factor: 1.01,
  },
  {
    name: 'WebM with Opus, as a browser writes it',
    bytes: webmOf(clusters),
    declared: 'webm',
    seconds: 60,
    factor: 1.01,
  },
]
