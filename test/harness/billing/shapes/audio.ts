import type { JsonObject } from '../json.js'
import { makeMp3, makeWav } from '../make-files.js'
import { shape } from './shape.js'
import { emoji, hindi, long, zalgo } from './texts.js'

const plain = { forms: ['plain'] } as const

const speak = (name: string, model: string, input: string, members: JsonObject = {}, extra = {}) =>
  shape(
    '/v1/audio/speech',
    `speech: ${name}`,
    model,
    { input, voice: 'alloy', ...members },
    { ...plain, ...extra },
  )

export const speechShapes = [
  speak('a word', 'tts-1', 'Hello'),
  speak('as much as it takes', 'tts-1-hd', long(hindi, 4_096)),
  speak('pictures', 'tts-1', long(emoji, 400)),
  speak('many marks', 'tts-1-hd', long(zalgo, 900), { response_format: 'wav', speed: 0.25 }),
  // Counted, though these models do not read it.
  // How much speech there will be, no request says.
  speak('by tokens', 'gpt-4o-mini-tts', 'Hello'),
  speak('with instructions', 'tts-1', 'Hello', { instructions: long(hindi, 300) }, { unsaid: true }),
]

type Path = '/v1/audio/transcriptions' | '/v1/audio/translations'

const hear = (name: string, model: string, bytes: Buffer, members: JsonObject = {}, extra = {}) =>
  listen('/v1/audio/transcriptions', name, model, bytes, members, extra)
const listen = (
  path: Path,
  name: string,
  model: string,
  bytes: Buffer,
  members: JsonObject = {},
  extra = {},
) => {
  const isWav = bytes.toString('latin1', 0, 4) === 'RIFF'
  const [filename, type] = isWav ? ['a.wav', 'audio/wav'] : ['a.mp3', 'audio/mpeg']
  const files = [{ field: 'file', filename, type, bytes }]
  return shape(path, `transcripts: ${name}`, model, members, { ...plain, files, ...extra })
}
const unsaid = { unsaid: true }
const both = { forms: ['plain', 'stream'] }

/** Whose header says of the samples that there are none, as programs write it that do not know how many will follow. */
function makeEndlessWav(seconds: number): Buffer {
  const bytes = makeWav(seconds)
  bytes.writeUInt32LE(0, 40)
  return bytes
}

export const transcriptShapes = [
  hear('by the second', 'whisper-1', makeWav(7)),
  hear('with all details', 'whisper-1', makeMp3(61, 32), { response_format: 'verbose_json' }),
  hear('long and thin', 'whisper-1', makeMp3(600, 8)),
  hear('as text', 'whisper-1', makeWav(3), { response_format: 'text' }, unsaid),
  hear('as subtitles', 'whisper-1', makeMp3(20, 8), { response_format: 'srt' }, unsaid),
  hear('of unknown end', 'whisper-1', makeEndlessWav(30)),
  hear('by tokens', 'gpt-4o-transcribe', makeWav(12), { prompt: long(hindi, 300) }, both),
  hear('by tokens, long and thin', 'gpt-4o-transcribe', makeMp3(900, 8), {}, both),
  hear('by tokens, as text', 'gpt-4o-transcribe', makeWav(25), { response_format: 'text' }, unsaid),
  hear(
    'by tokens, as subtitles',
    'gpt-4o-transcribe',
    makeMp3(40, 16),
    { response_format: 'srt', prompt: long(hindi, 200) },
    unsaid,
  ),
  hear(
    'by tokens, as subtitles of the web',
    'gpt-4o-transcribe',
    makeWav(6),
    { response_format: 'vtt' },
    unsaid,
  ),
  // As Groq takes it, in place of the file.
  hear('one that is only named', 'whisper-1', makeWav(1), { url: 'https://sounds.test/an-hour.mp3' }),
  hear('a format that does not tell its length', 'whisper-1', Buffer.from(`OggS${long(zalgo, 3_000)}`)),
  listen('/v1/audio/translations', 'into English', 'whisper-1', makeMp3(45, 160)),
  listen(
    '/v1/audio/translations',
    'into subtitles',
    'whisper-1',
    makeWav(4),
    { response_format: 'vtt' },
    unsaid,
  ),
]
