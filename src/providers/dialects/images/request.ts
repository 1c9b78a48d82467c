import { asCount, asText, type JsonObject } from '../../../json/index.js'
import type { Unit } from '../../../pricing/index.js'
import { type DialectRequest, type Fault, findCountFault } from '../dialect.js'
import { withoutOutput } from '../without-output.js'

const maxImages = 128

/** What all endpoints that make images have in common. */
export const imagesRequest: Omit<DialectRequest, 'faultIn'> = {
  ...withoutOutput,

  // As many tokens as one image of the model has at most: no request can say less.
  maxOutputOf: () => null,

  choicesOf: (body) => asCount(body.n) || 1,

  async measureUse(body, { facts, isPaidByUnit }) {
    const isUnbounded = !isPaidByUnit && facts.maxOutputTokens === null
    const message = 'has a price by tokens, and how many tokens an image of it has at most is not known'
    return {
      units: [imagesOf(body, asCount(body.n) || 1)],
      inputTokens: 0,
      unbounded: isUnbounded ? [{ path: 'model', message }] : [],
    }
  },
}

export function findImageFault(body: JsonObject): Fault | null {
  if (body.stream === true || asCount(body.partial_images) > 0)
    return { path: 'stream', message: 'images are not streamed here: leave stream and partial_images out' }
  return findCountFault(body, 'n', maxImages)
}

/** So many images of the quality and size that were asked for. Those that are left out are as OpenAI documents them. */
export function imagesOf({ quality, size }: JsonObject, count: number): Unit {
  return { names: [`image.${word(quality, 'standard')}.${word(size, '1024x1024')}`, 'image'], count }
}

/** Tokens of images that go in: a price may have a fee for them, beside its rate of input. */
export const imageInputOf = (tokens: number): Unit[] =>
  tokens > 0 ? [{ names: ['image_input'], count: tokens }] : []

const word = (value: unknown, otherwise: string): string =>
  value === undefined || value === null ? otherwise : asText(value).slice(0, 16).replaceAll('.', '_')
