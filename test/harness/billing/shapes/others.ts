import type { Json, JsonObject } from '../json.js'
import { dataUrl, makePng } from '../make-files.js'
import { sonnet, tool, user } from './ask-claude.js'
import { shape } from './shape.js'
import { emoji, english, hindi, long, rare, zalgo } from './texts.js'

const plain = { forms: ['plain'] } as const
const rank = (name: string, members: JsonObject) =>
  shape('/v1/rerank', `rerank: ${name}`, 'house-ranker', { query: 'Which one?', ...members }, plain)

const rankByTokens = (name: string, members: JsonObject) =>
  shape(
    '/v1/rerank',
    `rerank by tokens: ${name}`,
    'house-token-ranker',
    { query: 'Which one?', ...members },
    plain,
  )

export const rerankShapes = [
  rank('a few', { documents: ['one', 'two', 'three'] }),
  rank('many', { documents: Array.from({ length: 250 }, (_, index) => `Document ${index}`) }),
  rank('long ones', { documents: Array.from({ length: 60 }, () => long(english, 9_000)) }),
  rank('a long question', {
    query: long(english, 1_900),
    documents: Array.from({ length: 90 }, () => long(hindi, 900)),
  }),
  rank('objects', { documents: [{ text: 'one' }, { text: long(english, 3_000) }] }),
  rankByTokens('a few', { documents: ['one', long(zalgo, 400), 'three'] }),
  rankByTokens('a long question to many', {
    query: long(hindi, 700),
    documents: Array.from({ length: 120 }, (_, index) => `Document ${index}`),
  }),
]

const judge = (name: string, input: Json, model = 'house-judge') =>
  shape('/v1/moderations', `moderations: ${name}`, model, { input }, plain)
const part = (text: string) => ({ type: 'text', text })

export const moderationShapes = [
  judge('free', long(english, 3_000), 'omni-moderation-latest'),
  judge('a text', long(hindi, 2_000)),
  judge('several', ['one', long(rare, 300), long(emoji, 200)]),
  judge('parts', [part('one'), part(long(zalgo, 500))]),
  judge(
    'a free picture',
    [part('What is it?'), { type: 'image_url', image_url: { url: dataUrl('image/png', makePng(900, 600)) } }],
    'omni-moderation-latest',
  ),
]

const count = (name: string, members: JsonObject) =>
  shape('/v1/messages/count_tokens', `count_tokens: ${name}`, sonnet, members, plain)

export const countShapes = [
  count('a text', user(long(english, 5_000))),
  count('with tools', { ...user('Look'), tools: [tool], system: long(hindi, 500) }),
]
