import { TextWalk } from '../../texts/text-walk.js'
import type { Dialect } from '../dialect.js'
import { notStreamed } from '../without-output.js'
import { imagesAnswer, imagesMock } from './answer.js'
import { findImageFault, imagesRequest } from './request.js'

/** OpenAI's images from a text. */
export const imageGenerations: Dialect = {
  ...imagesRequest,
  ...imagesAnswer,
  ...notStreamed,
  faultIn: (body) =>
    typeof body.prompt === 'string' ? findImageFault(body) : { path: 'prompt', message: 'must be a text' },
  name: 'image_generations',
  path: '/images/generations',
  endpoint: {
    operationId: 'createImage',
    summary: 'Image (OpenAI)',
    description: "OpenAI's images from a text. Paid by image, quality and size, or by tokens. Not streamed.",
    example: { model: 'mock/echo', prompt: 'A tally stick' },
  },
  modes: ['image'],
  unit: 'image',
  hasOwnPrompt: true,
  defaultHeaders: {},
  texts: {
    inRequest: (json) => new TextWalk(json),
    inAnswer: (json) => new TextWalk(json),
    asksForJson: () => false,
    isReadable: () => true,
    messageCount: () => 1,
  },
  mock: imagesMock,
}
