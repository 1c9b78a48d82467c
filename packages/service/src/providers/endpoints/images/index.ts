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
    summary: 'Generate images (OpenAI)',
    description:
      'Generates images from a text in the format of OpenAI. The price is per image, by quality and size, or per token. Not streamed.',
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
    summary: 'Edit images (OpenAI)',
    description: 'Edits images in the format of OpenAI. Send the images and a text as a form. Not streamed.',
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
    summary: 'Create variations of an image (OpenAI)',
    description: 'Creates variations of an image in the format of OpenAI. Send the image as a form.',
    example: { model: 'mock/echo', image: { filename: 'stick.png' } },
  },
  faultIn: (body) => (hasFile(body, 'image') ? findImageFault(body) : imageFault),
  measureAdditionalUsage: measureEdits,
  mock: imagesMock,
})
