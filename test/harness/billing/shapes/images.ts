import type { JsonObject } from '../json.js'
import { makeJpeg, makePng, makeWebp } from '../make-files.js'
import { type FormFile, shape } from './shape.js'
import { emoji, hindi, long } from './texts.js'

const plain = { forms: ['plain'] } as const
const draw = (name: string, model: string, members: JsonObject) =>
  shape('/v1/images/generations', `images: ${name}`, model, { prompt: 'A tally stick', ...members }, plain)

const generations = [
  draw('as it is', 'dall-e-3', {}),
  draw('wide and detailed', 'dall-e-3', { quality: 'hd', size: '1792x1024' }),
  draw('several', 'dall-e-3', { n: 4, size: '1024x1792' }),
  draw('by tokens', 'gpt-image-1', { prompt: long(hindi, 2_000) }),
  draw('by tokens, small', 'gpt-image-1', { quality: 'low', size: '1024x1024', n: 3 }),
  draw('by tokens, with what is drawn so far', 'gpt-image-1', { partial_images: 3 }),
  draw('by tokens, streamed', 'gpt-image-1', { stream: true }),
  draw('by tokens, as the model likes', 'gpt-image-1', { size: 'auto', n: 2 }),
]

const png = (width: number, height: number, field = 'image'): FormFile => ({
  field,
  filename: 'stick.png',
  type: 'image/png',
  bytes: makePng(width, height),
})
const form = (files: readonly FormFile[]) => ({ ...plain, files })
const edit = (name: string, model: string, members: JsonObject, files: readonly FormFile[]) =>
  shape(
    '/v1/images/edits',
    `edits: ${name}`,
    model,
    { prompt: 'A longer tally stick', ...members },
    form(files),
  )
const vary = (name: string, members: JsonObject) =>
  shape('/v1/images/variations', `variations: ${name}`, 'dall-e-2', members, form([png(256, 256)]))

const edits = [
  edit('by image', 'dall-e-2', { size: '512x512' }, [png(512, 512), png(512, 512, 'mask')]),
  edit('by image, several', 'dall-e-2', { n: 5 }, [png(64, 64)]),
  edit('by tokens', 'gpt-image-1', { prompt: long(emoji, 500) }, [png(1_024, 1_024)]),
  edit('by tokens, in detail', 'gpt-image-1', { input_fidelity: 'high', quality: 'low' }, [png(900, 2_000)]),
  edit('by tokens, a banner', 'gpt-image-1', { input_fidelity: 'high', size: 'auto' }, [png(4_000, 300)]),
  edit(
    'by tokens, of many',
    'gpt-image-1',
    { input_fidelity: 'high', n: 2, quality: 'low', size: '1024x1024' },
    [
      png(2_048, 512, 'image[]'),
      { field: 'image[]', filename: 'a.jpg', type: 'image/jpeg', bytes: makeJpeg(3_000, 2_000) },
      { field: 'image[]', filename: 'a.webp', type: 'image/webp', bytes: makeWebp(700, 1_400) },
      png(2_048, 512, 'mask'),
    ],
  ),
]

const variations = [
  vary('as it is', {}),
  vary('small ones', { n: 10, size: '256x256' }),
  vary('of middle size', { n: 2, size: '512x512' }),
]

export const imagesShapes = [...generations, ...edits, ...variations]
