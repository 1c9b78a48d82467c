import { asArray, asObject, asText, type JsonObject, readCount } from '@tallystick/record/json'
import { hasFile } from '../audio/transcript.js'
import type { Endpoint } from '../endpoint.js'
import type { MockParts } from '../mock-composer.js'
import { type ReportedUsage, readOpenAiUsage } from '../usage.js'
import { imageInputOf, imagesOf } from './request.js'

const names = {
  input: 'input_tokens',
  inputDetails: 'input_tokens_details',
  output: 'output_tokens',
  outputDetails: 'output_tokens_details',
}

/** The answers of all endpoints that generate images. */
export const imagesAnswer: Pick<Endpoint, 'usageOf' | 'outputOf' | 'summarizeAnswer'> = {
  usageOf(answer, request) {
    const reported = readOpenAiUsage(answer.usage, request, names)
    if (!Array.isArray(answer.data)) return reported && { ...reported, tier: null }
    const image = { quality: answer.quality ?? request.quality, size: answer.size ?? request.size }
    return {
      ...(reported ?? { counts: {}, hasOutput: false }),
      tier: null,
      units: [imagesOf(image, answer.data.length), ...imageInputOf(imageTokensIn(answer, request, reported))],
    }
  },

  outputOf: () => null,

  summarizeAnswer: (answer) => ({
    answer: { ...answer, data: asArray(answer.data).map(withoutBytes) },
    note: 'The images themselves are not kept',
  }),
}

/** When the provider does not report how much of the input is images, all of it may be, if there was an image. */
function imageTokensIn(
  { usage }: JsonObject,
  request: JsonObject,
  reported: Pick<ReportedUsage, 'counts' | 'hasOutput'> | null,
): number {
  if (reported === null || !reported.hasOutput) return 0
  const { input = 0 } = reported.counts
  const reportedTokens = readCount(asObject(asObject(usage).input_tokens_details).image_tokens)
  return Math.min(input, reportedTokens ?? (hasFile(request, 'image') ? input : 0))
}

const withoutBytes = (image: unknown): unknown =>
  image !== null && typeof image === 'object' && 'b64_json' in image
    ? { ...image, b64_json: `${asText(image.b64_json).length} characters of base64` }
    : image

// A PNG image of one pixel.
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const imagesMock: MockParts = {
  answer: ({ created }, body) => ({ whole: { created, data: mockImages(body) }, events: [] }),
}

const mockImages = ({ n }: JsonObject): object[] =>
  Array.from({ length: Math.min(typeof n === 'number' && n > 0 ? n : 1, 10) }, () => ({ b64_json: pixel }))
