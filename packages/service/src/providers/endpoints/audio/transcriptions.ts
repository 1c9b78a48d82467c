import { asText } from '@tallystick/record/json'
import { formatEvent } from '../../transport/sse.js'
import { defineEndpoint } from '../define-endpoint.js'
import type { EndpointRequest } from '../endpoint-request.js'
import type { MockParts } from '../mock-composer.js'
import { recordingShape } from './shape.js'
import { readTranscriptEvent, TranscriptAssembler, TranscriptStream } from './stream.js'
import { hasFile, measureRecordings, transcriptAnswer } from './transcript.js'

const addressMembers = ['url', 'file_url', 'file_id']

const mock: MockParts = {
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
}

const recordingRequest = {
  faultIn(body) {
    // Some servers fetch such an address themselves and read it instead of the file: its length is unknown, and no
    // policy has judged it.
    const member = addressMembers.find((name) => body[name] !== undefined)
    if (member !== undefined)
      return { path: member, message: 'is not supported: upload the recording in the field `file`' }
    return hasFile(body, 'file') ? null : { path: 'file', message: 'must be a recording' }
  },
  measureAdditionalUsage: measureRecordings,
} satisfies Partial<EndpointRequest>

/** OpenAI's speech-to-text endpoint, in the spoken language. */
export const transcriptions = defineEndpoint(recordingShape, {
  ...recordingRequest,
  ...transcriptAnswer,
  name: 'transcriptions',
  path: '/audio/transcriptions',
  docs: {
    operationId: 'createTranscription',
    summary: 'Transcribe a recording (OpenAI)',
    description:
      'Transcribes a recording in the format of OpenAI, optionally streamed. Send the recording as a form. If a budget applies and the model is priced per second, only WAV, MP3, FLAC, Ogg and WebM are accepted, because other formats do not prove the length of a recording.',
    example: { model: 'mock/echo', file: { filename: 'hello.wav' } },
    // Plain text and subtitles, as `response_format` requests.
    produces: ['text/*'],
  },
  readEvent: readTranscriptEvent,
  readStream: () => new TranscriptStream(),
  assembleStream: (maxChars) => new TranscriptAssembler(maxChars),
  streamError: (body) => formatEvent(JSON.stringify({ type: 'error', ...body })),
  mock,
})

/** The same as transcriptions, translated into English. */
export const translations = defineEndpoint(recordingShape, {
  ...recordingRequest,
  ...transcriptAnswer,
  name: 'translations',
  path: '/audio/translations',
  docs: {
    operationId: 'createTranslation',
    summary: 'Translate a recording (OpenAI)',
    description: 'Translates a recording into English in the format of OpenAI. Send the recording as a form.',
    example: transcriptions.docs.example,
    produces: ['text/*'],
  },
  mock,
})
