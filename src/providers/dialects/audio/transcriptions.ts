import { asText } from '../../../json/index.js'
import { formatEvent } from '../../sse.js'
import { TextWalk } from '../../texts/text-walk.js'
import { chatMock } from '../chat/mock.js'
import type { Dialect, FormShape, MockComposer } from '../dialect.js'
import { notStreamed, withoutOutput } from '../without-output.js'
import { readTranscriptEvent, TranscriptAssembler, TranscriptStream } from './stream.js'
import { hasFile, measureRecordings, transcriptAnswer } from './transcript.js'

const form: FormShape = {
  files: ['file'],
  lists: ['timestamp_granularities[]', 'include[]', 'known_speaker_names[]', 'known_speaker_references[]'],
  counts: [],
  flags: ['stream'],
}

const namesOfRecordings = ['url', 'file_url', 'file_id']

const mock: MockComposer = {
  answer({ words, outputTokens, inputTokens }, { response_format }) {
    const text = words.join('') || 'A recording'
    const usage = { type: 'tokens', input_tokens: inputTokens, output_tokens: outputTokens }
    const isPlain = ['text', 'srt', 'vtt'].includes(asText(response_format))
    return {
      whole: { text, usage: { type: 'duration', seconds: 1 } },
      events: [
        ...words.map((delta) => formatEvent(JSON.stringify({ type: 'transcript.text.delta', delta }))),
        formatEvent(JSON.stringify({ type: 'transcript.text.done', text, usage })),
      ],
      ...(isPlain && { bytes: { contentType: 'text/plain', body: Buffer.from(`${text}\n`) } }),
    }
  },
  failure: chatMock.failure,
}

/** OpenAI's text from a recording, in the language that is spoken. Paid by the second, or by tokens. */
export const transcriptions: Dialect = {
  ...withoutOutput,
  ...transcriptAnswer,
  faultIn(body) {
    // Some servers fetch it themselves, and then read that in place of the file: of unknown length, and judged by nobody.
    const named = namesOfRecordings.find((name) => body[name] !== undefined)
    if (named !== undefined) return { path: named, message: 'is not taken here: send the recording as file' }
    return hasFile(body, 'file') ? null : { path: 'file', message: 'must be a recording' }
  },
  maxOutputOf: () => null,
  measureUse: measureRecordings,
  name: 'transcriptions',
  path: '/audio/transcriptions',
  endpoint: {
    operationId: 'createTranscription',
    summary: 'Transcription (OpenAI)',
    description:
      "OpenAI's transcription of a recording, as a form; plain or streamed. Under a budget, a model that is paid by the second takes WAV, MP3, FLAC, Ogg and WebM alone: the bytes of other formats do not prove how long a recording is.",
    example: { model: 'mock/echo', file: { filename: 'hello.wav' } },
    // Plain text and subtitles, as the field `response_format` asks for.
    produces: ['text/*'],
  },
  modes: ['transcription'],
  unit: 'second',
  hasOwnPrompt: true,
  form,
  defaultHeaders: {},
  texts: {
    inRequest: (json) => new TextWalk(json),
    inAnswer: (json) => new TextWalk(json, { noProbabilities: '[]' }),
    asksForJson: () => false,
    isReadable: () => true,
    messageCount: () => 1,
  },
  readEvent: readTranscriptEvent,
  readStream: () => new TranscriptStream(),
  assembleStream: (maxChars) => new TranscriptAssembler(maxChars),
  streamError: (body) => formatEvent(JSON.stringify({ type: 'error', ...body })),
  mock,
}

/** The same in English. */
export const translations: Dialect = {
  ...transcriptions,
  ...notStreamed,
  faultIn: (body) =>
    body.stream === true
      ? { path: 'stream', message: 'translations are not streamed' }
      : transcriptions.faultIn(body),
  name: 'translations',
  path: '/audio/translations',
  endpoint: {
    operationId: 'createTranslation',
    summary: 'Translation of a recording (OpenAI)',
    description: "OpenAI's translation of a recording into English, as a form.",
    example: transcriptions.endpoint.example,
    produces: ['text/*'],
  },
}
