import type { Json } from '../json.js'
import { shape } from './shape.js'
import { emoji, english, hindi, long } from './texts.js'

const embed = (name: string, input: Json, members = {}) =>
  shape('/v1/embeddings', `embeddings: ${name}`, 'text-embedding-3-small', { input, ...members })

export const embeddingsShapes = [
  embed('one token', 'hi'),
  embed('a text', long(english, 6_000)),
  embed('Hindi with the older encoding', long(hindi, 3_000)),
  embed(
    '200 texts',
    Array.from({ length: 200 }, () => long(emoji, 100)),
  ),
  embed(
    'tokens',
    Array.from({ length: 500 }, (_, index) => index),
  ),
  embed(
    'lists of tokens',
    Array.from({ length: 30 }, () => [1, 2, 3, 99_999]),
    { encoding_format: 'base64' },
  ),
]
