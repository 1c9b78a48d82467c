import { asText } from '@tallystick/record/json'
import { defineEndpoint } from '../define-endpoint.js'
import type { AnswerCodec } from '../endpoint.js'
import { speechShape } from './shape.js'

/** Audio passes through unchanged: its content can be neither read nor edited. */
const recording: AnswerCodec = {
  accepts: isRecording,
  isReadable: false,
  toJson: () => '{}',
  fromJson: () => Buffer.alloc(0),
  contentTypeOf: (given) => given,
}

function isRecording(contentType: string): boolean {
  return /^(?:audio\/[\w.+-]+|application\/octet-stream)(?:;\s*[\w-]+="?[\w-]+"?)*$/i.test(contentType)
}

/**
 * OpenAI's text-to-speech endpoint. Billed by the character: models billed by tokens do not report how many they
 * used.
 */
export const speech = defineEndpoint(speechShape, {
  faultIn(body) {
    if (typeof body.input !== 'string') return { path: 'input', message: 'must be a string' }
    const { stream_format: format } = body
    if (format !== undefined && format !== null && format !== 'audio')
      return { path: 'stream_format', message: 'must be audio: streaming speech as events is not supported' }
    return null
  },
  measureAdditionalUsage: async ({ input, instructions }) => ({
    units: [{ names: ['character'], count: charactersIn(input) + charactersIn(instructions) }],
    inputTokens: 0,
    unbounded: [],
  }),
  name: 'speech',
  path: '/audio/speech',
  docs: {
    operationId: 'createSpeech',
    summary: 'Convert text to speech (OpenAI)',
    description:
      'Converts a text to speech in the format of OpenAI. The price is per character. The answer is audio, so the call is refused if a policy must check answers.',
    example: { model: 'mock/echo', input: 'Hello, tally!', voice: 'alloy' },
    produces: ['audio/*'],
  },
  answerCodec: () => recording,
  usageOf: () => ({ counts: {}, hasOutput: true, tier: null, units: 'as reserved' }),
  outputOf: () => null,
  summarizeAnswer: () => ({ answer: {}, note: 'The recording itself is not kept' }),
  mock: {
    answer: () => ({ whole: {}, events: [], bytes: { contentType: 'audio/wav', body: silence } }),
  },
})

/** Counts code points. */
const charactersIn = (text: unknown): number => [...asText(text)].length

/** A tenth of a second of silence. */
const silence = makeSilence(800)

function makeSilence(samples: number): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + samples * 2, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(16_000, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples * 2, 40)
  return Buffer.concat([head, Buffer.alloc(samples * 2)])
}
