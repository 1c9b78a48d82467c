import { asArray, asText, type JsonObject } from '../../../json/index.js'
import { chatMock } from '../chat/mock.js'
import type { Dialect, MockComposer } from '../dialect.js'
import { readOpenAiUsage } from '../usage.js'
import { imagesOf } from './request.js'

const names = {
  input: 'input_tokens',
  inputDetails: 'input_tokens_details',
  output: 'output_tokens',
  outputDetails: 'output_tokens_details',
}

/** What all endpoints that make images answer. */
export const imagesAnswer: Pick<
  Dialect,
  'answerIdOf' | 'usageOf' | 'outputOf' | 'summarizeAnswer' | 'errorBody'
> = {
  answerIdOf: () => null,

  usageOf(answer, request) {
    const reported = readOpenAiUsage(answer.usage, request, names)
    if (!Array.isArray(answer.data)) return reported && { ...reported, tier: null }
    const made = { quality: answer.quality ?? request.quality, size: answer.size ?? request.size }
    return {
      ...(reported ?? { counts: {}, hasOutput: false }),
      tier: null,
      units: [imagesOf(made, answer.data.length)],
    }
  },

  outputOf: () => null,

  summarizeAnswer: (answer) => ({
    answer: { ...answer, data: asArray(answer.data).map(withoutBytes) },
    note: 'The images themselves are not kept',
  }),

  errorBody: (body) => body,
}

const withoutBytes = (image: unknown): unknown =>
  image !== null && typeof image === 'object' && 'b64_json' in image
    ? { ...image, b64_json: `${asText(image.b64_json).length} characters of base64` }
    : image

// One pixel.
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const imagesMock: MockComposer = {
  answer: ({ created }, body) => ({ whole: { created, data: picturesFor(body) }, events: [] }),
  failure: chatMock.failure,
}

const picturesFor = ({ n }: JsonObject): object[] =>
  Array.from({ length: Math.min(typeof n === 'number' && n > 0 ? n : 1, 10) }, () => ({ b64_json: pixel }))
