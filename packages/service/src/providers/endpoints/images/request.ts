import { asCount, asText, type JsonObject } from '@tallystick/record/json'
import type { Unit } from '@tallystick/record/pricing'
import type { EndpointRequest, Fault } from '../endpoint-request.js'

/**
 * Measures how many images are generated, and whether the tokens of one are bounded when images are billed by tokens.
 */
export const measureImages: NonNullable<EndpointRequest['measureAdditionalUsage']> = async (
  body,
  { properties, isPaidByUnit },
) => {
  const isUnbounded = !isPaidByUnit && properties.maxOutputTokens === null
  const message = 'is priced by tokens, but the maximum number of tokens per image is unknown'
  return {
    units: [imagesOf(body, asCount(body.n) || 1)],
    inputTokens: 0,
    unbounded: isUnbounded ? [{ path: 'model', message }] : [],
  }
}

export const findImageFault = (body: JsonObject): Fault | null =>
  body.stream === true || asCount(body.partial_images) > 0
    ? { path: 'stream', message: 'is not supported for images: omit stream and partial_images' }
    : null

/**
 * Returns the images as a billed unit, by quality and size. Values that are left out default to those that OpenAI
 * documents.
 */
export function imagesOf({ quality, size }: JsonObject, count: number): Unit {
  return { names: [`image.${word(quality, 'standard')}.${word(size, '1024x1024')}`, 'image'], count }
}

/** Tokens of input images: a price may have a fee for them, in addition to its input rate. */
export const imageInputOf = (tokens: number): Unit[] =>
  tokens > 0 ? [{ names: ['image_input'], count: tokens }] : []

const word = (value: unknown, otherwise: string): string =>
  value === undefined || value === null ? otherwise : asText(value).slice(0, 16).replaceAll('.', '_')
