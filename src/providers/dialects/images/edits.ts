import { countImage, readImageSize } from '../../input/index.js'
import { hasFile } from '../audio/transcript.js'
import type { Dialect, DialectRequest, FormShape } from '../dialect.js'
import { imageGenerations } from './generations.js'
import { findImageFault, imageInputOf, imagesRequest } from './request.js'

const form: FormShape = {
  files: ['image', 'image[]', 'mask'],
  lists: ['image[]'],
  counts: ['n', 'partial_images', 'output_compression'],
  flags: ['stream'],
}

/** Images that go in are read by their own formula, where tokens are paid. */
const measureUse: DialectRequest['measureUse'] = async (body, context) => {
  const { files, facts, isPaidByUnit } = context
  const use = (await imagesRequest.measureUse?.(body, context)) ?? null
  if (use === null || isPaidByUnit) return use ?? noUse
  const inputTokens = files.reduce((sum, { bytes }) => {
    const size = readImageSize(bytes)
    return sum + countImage(facts.images, size === 'none' ? null : size, false).bound
  }, 0)
  return { ...use, inputTokens, units: [...use.units, ...imageInputOf(inputTokens)] }
}

const noUse = { units: [], inputTokens: 0, unbounded: [] }

/** OpenAI's images from others and a text. */
export const imageEdits: Dialect = {
  ...imageGenerations,
  measureUse,
  faultIn(body) {
    if (!hasFile(body, 'image')) return { path: 'image', message: 'must be an image' }
    return imageGenerations.faultIn(body)
  },
  name: 'image_edits',
  path: '/images/edits',
  endpoint: {
    operationId: 'createImageEdit',
    summary: 'Edited image (OpenAI)',
    description: "OpenAI's images from others and a text, as a form. Not streamed.",
    example: { model: 'mock/echo', prompt: 'A tally stick', image: { filename: 'stick.png' } },
  },
  form,
}

/** OpenAI's images like another one. */
export const imageVariations: Dialect = {
  ...imageEdits,
  faultIn: (body) =>
    hasFile(body, 'image') ? findImageFault(body) : { path: 'image', message: 'must be an image' },
  name: 'image_variations',
  path: '/images/variations',
  endpoint: {
    operationId: 'createImageVariation',
    summary: 'Variation of an image (OpenAI)',
    description: "OpenAI's images like another one, as a form.",
    example: { model: 'mock/echo', image: { filename: 'stick.png' } },
  },
}
