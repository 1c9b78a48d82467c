import type { JsonObject } from '../json.js'
import { shape } from './shape.js'
import { english, hindi, long } from './texts.js'

const plain = { forms: ['plain'] } as const
const draw = (name: string, model: string, members: JsonObject) =>
  shape('/v1/images/generations', `images: ${name}`, model, { prompt: 'A tally stick', ...members }, plain)

export const imagesShapes = [
  draw('as it is', 'dall-e-3', {}),
  draw('wide and detailed', 'dall-e-3', { quality: 'hd', size: '1792x1024' }),
  draw('several', 'dall-e-3', { n: 4, size: '1024x1792' }),
  draw('by tokens', 'gpt-image-1', { prompt: long(hindi, 2_000) }),
  draw('by tokens, small', 'gpt-image-1', { quality: 'low', size: '1024x1024', n: 3 }),
  draw('by tokens, as the model likes', 'gpt-image-1', { size: 'auto', n: 2 }),
]

const rank = (name: string, members: JsonObject) =>
  shape('/v1/rerank', `rerank: ${name}`, 'house-ranker', { query: 'Which one?', ...members }, plain)

export const rerankShapes = [
  rank('a few', { documents: ['one', 'two', 'three'] }),
  rank('many', { documents: Array.from({ length: 250 }, (_, index) => `Document ${index}`) }),
  rank('long ones', { documents: Array.from({ length: 60 }, () => long(english, 9_000)) }),
  rank('a long question', {
    query: long(english, 1_900),
    documents: Array.from({ length: 90 }, () => long(hindi, 900)),
  }),
  rank('objects', { documents: [{ text: 'one' }, { text: long(english, 3_000) }] }),
]
