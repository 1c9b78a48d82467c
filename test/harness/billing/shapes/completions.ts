import type { Json } from '../json.js'
import { shape } from './shape.js'
import { emoji, english, hindi, long } from './texts.js'

const complete = (name: string, prompt: Json, members = {}) =>
  shape('/v1/completions', `completions: ${name}`, 'gpt-3.5-turbo-instruct', { prompt, ...members })

export const completionsShapes = [
  complete('a text', long(english, 2_000), { max_tokens: 200 }),
  complete('without a maximum', 'Once upon a time'),
  complete('several answers', long(hindi, 500), { n: 3, max_tokens: 50 }),
  complete('the best of many', 'Say something', { n: 2, best_of: 5, max_tokens: 40 }),
  complete('several prompts', ['one', long(emoji, 60), 'three'], { n: 2, max_tokens: 30 }),
  complete(
    'token numbers',
    Array.from({ length: 300 }, (_, index) => index),
    { max_tokens: 20 },
  ),
  complete('lists of token numbers', [[1, 2, 3], [4, 5], [99_999]], { max_tokens: 20 }),
  complete('with what it must end with', 'def f():', { suffix: long(english, 400), max_tokens: 20 }),
]
