import { countImage, readImageSize } from '../../input/index.js'
import { hasFile } from '../audio/transcript.js'
import { defineEndpoint } from '../define-endpoint.js'
import type { EndpointRequest } from '../endpoint-request.js'
import { imagesAnswer, imagesMock } from './answer.js'
import { findImageFault, imageInputOf, measureImages } from './request.js'
import { editsShape, generationsShape } from './shape.js'

const promptFault = { path: 'prompt', message: 'must be a string' }
const imageFault = { path: 'image', message: 'must be an image' }

/** Input images are counted by the model's formula when tokens are billed. */
const measureEdits: NonNullable<EndpointRequest['measureAdditionalUsage']> = async (body, context) => {
  const { files, properties, isPaidByUnit } = context
  const use = await measureImages(body, context)
  if (isPaidByUnit) return use
  const inputTokens = files.reduce((sum, { bytes }) => {
    const size = readImageSize(bytes)
    return sum + countImage(properties.images, size === 'none' ? null : size, false).bound
  }, 0)
  return { ...use, inputTokens, units: [...use.units, ...imageInputOf(inputTokens)] }
}

/** OpenAI's endpoint that generates images from a text. */
export const imageGenerations = defineEndpoint(generationsShape, {
  ...imagesAnswer,
  name: 'image_generations',
  path: '/images/generations',
  docs: {
    operationId: 'createImage',
    summary: 'Image (OpenAI)',
    description: "OpenAI's images from a text. Paid by image, quality and size, or by tokens. Not streamed.",
    example: { model: 'mock/echo', prompt: 'A tally stick' },
  },
  faultIn: (body) => (typeof body.prompt === 'string' ? findImageFault(body) : promptFault),
  measureAdditionalUsage: measureImages,
  mock: imagesMock,
})

/** OpenAI's endpoint that edits images by a text. */
export const imageEdits = defineEndpoint(editsShape, {
  ...imagesAnswer,
  name: 'image_edits',
  path: '/images/edits',
  docs: {
    operationId: 'createImageEdit',
    summary: 'Edited image (OpenAI)',
    description: "OpenAI's images from others and a text, as a form. Not streamed.",
    example: { model: 'mock/echo', prompt: 'A tally stick', image: { filename: 'stick.png' } },
  },
  faultIn: (body) => (hasFile(body, 'image') ? imageGenerations.faultIn(body) : imageFault),
  measureAdditionalUsage: measureEdits,
  mock: imagesMock,
})

/** OpenAI's endpoint that creates variations of an image. */
export const imageVariations = defineEndpoint(editsShape, {
  ...imagesAnswer,
  name: 'image_variations',
  path: '/images/variations',
  docs: {
    operationId: 'createImageVariation',
    summary: 'Variation of an image (OpenAI)',
    description: "OpenAI's images like another one, as a form.",
    example: { model: 'mock/echo', image: { filename: 'stick.png' } },
  },
  faultIn: (body) => (hasFile(body, 'image') ? findImageFault(body) : imageFault),
  measureAdditionalUsage: measureEdits,
  mock: imagesMock,
})
