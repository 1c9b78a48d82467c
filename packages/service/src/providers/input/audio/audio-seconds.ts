import { flacSeconds } from './flac.js'
import { looksLikeMp3, mpegSeconds } from './mpeg.js'
import { oggSeconds } from './ogg.js'
import { containsOtherFormat } from './other-formats.js'
import { wavSeconds } from './wav.js'
import { webmSeconds } from './webm.js'

interface AudioFormat {
  /** Extensions and `format` values with which callers declare this format. */
  names: readonly string[]
  matches(bytes: Buffer): boolean
  seconds(bytes: Buffer): number | null | Promise<number | null>
}

const startsWith =
  (signature: string) =>
  (bytes: Buffer): boolean =>
    bytes.toString('latin1', 0, signature.length) === signature

const formats: readonly AudioFormat[] = [
  { names: ['wav', 'wave'], matches: startsWith('RIFF'), seconds: wavSeconds },
  { names: ['ogg', 'oga', 'opus'], matches: startsWith('OggS'), seconds: oggSeconds },
  { names: ['flac'], matches: startsWith('fLaC'), seconds: flacSeconds },
  { names: ['webm', 'weba', 'mka', 'mkv'], matches: startsWith('\x1a\x45\xdf\xa3'), seconds: webmSeconds },
  { names: ['mp3', 'mpga', 'mpeg'], matches: looksLikeMp3, seconds: mpegSeconds },
]

/**
 * The expected size of a second of encoded audio: 32 kbit/s. Used for limits that count tokens, never for money.
 */
const usualBytesPerSecond = 4_000

export const expectedAudioSeconds = (bytes: Buffer): number => bytes.length / usualBytesPerSecond

/**
 * Returns an upper bound of the playing time, computed from the bytes that a decoder would play; declared lengths
 * can only raise it. Null when the bytes do not prove a bound: an unknown format, one that several decoders could
 * read differently, or a declared format (a file extension, or `format`; empty when there is none) that differs
 * from the format of the bytes.
 */
export async function boundAudioSeconds(bytes: Buffer, declared: string): Promise<number | null> {
  const format = formats.find(({ matches }) => matches(bytes))
  if (format === undefined) return null
  // A vendor may choose its decoder by the declared format, and that decoder searches these bytes for its own
  // frames.
  if (declared !== '' && !format.names.includes(declared.toLowerCase())) return null
  const seconds = await format.seconds(bytes)
  if (seconds === null || !Number.isFinite(seconds)) return null
  const isMpeg = format.seconds === mpegSeconds
  return (await containsOtherFormat(bytes, isMpeg)) ? null : seconds
}
