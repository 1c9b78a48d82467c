import fc from 'fast-check'
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../packages/record/src/json/index.js'
import type {
  ModelProperties,
  Tokenizer,
} from '../../packages/service/src/providers/catalogue/model-properties.js'
import { boundInput } from '../../packages/service/src/providers/input/index.js'
import type { InputNode } from '../../packages/service/src/providers/shapes/index.js'
import {
  createTokenCounter,
  type TokenCounter,
} from '../../packages/service/src/providers/tokenizer/token-counter.js'
import { hostileUnits } from '../harness/policies/hostile-texts.js'
import { shapeOf } from '../harness/providers/endpoint-shape.js'
import { propertyRuns } from '../harness/run/property-runs.js'

let counter: TokenCounter
beforeAll(async () => {
  counter = await createTokenCounter()
})
afterAll(() => counter.close())

const asOrdinaryText = { disallowedSpecial: new Set<string>() }
const o200k = (text: string) => countO200k(text, asOrdinaryText)

/** What a vendor of that family counts. Claude's encoding is not public: 1.35 times another of its time stands for it. */
const counts: Record<Tokenizer, (text: string) => number> = {
  o200k,
  cl100k: (text) => countCl100k(text, asOrdinaryText),
  claude: (text) => Math.min(Math.ceil(o200k(text) * 1.35), Buffer.byteLength(text)),
  bytes: (text) => Buffer.byteLength(text),
}

const propertiesOf = (tokenizer: Tokenizer): ModelProperties => ({
  tokenizer,
  contextWindow: null,
  maxOutputTokens: null,
  images: null,
  audioTokensPerSecond: null,
  toolPromptTokens: 0,
  vendorToolTokens: 0,
  usesPerCall: {},
})

type Render = (value: unknown, place: InputNode | null) => string

/** As JSON, with what stands between; texts that the dialect shows to the model are shown as they are. */
function asJson(
  gaps: { comma: string; colon: string; indent: string },
  write: (text: string) => string,
): Render {
  const render = (value: unknown, place: InputNode | null, depth: number): string => {
    const line = gaps.indent === '' ? '' : `\n${gaps.indent.repeat(depth + 1)}`
    const end = gaps.indent === '' ? '' : `\n${gaps.indent.repeat(depth)}`
    if (typeof value === 'string') return place?.string === 'text' ? `"${value}"` : write(value)
    if (Array.isArray(value))
      return value.length === 0
        ? '[]'
        : `[${value.map((item) => line + render(item, Array.isArray(item) ? null : place, depth + 1)).join(gaps.comma)}${end}]`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const members = Object.entries(value).map(
      ([name, inner]) =>
        `${line}${write(name)}${gaps.colon}${render(inner, place?.members.get(name) ?? null, depth + 1)}`,
    )
    return members.length === 0 ? '{}' : `{${members.join(gaps.comma)}${end}}`
  }
  return (value, place) => render(value, place, 0)
}

const plainly = (text: string): string => JSON.stringify(text)
const inAscii = (text: string): string =>
  JSON.stringify(text).replace(
    /[^\x20-\x7e]|[<>&]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Texts, names and other values one after the other. */
const asTexts =
  (between: string): Render =>
  (value) => {
    const texts: string[] = []
    const collect = (each: unknown): void => {
      if (Array.isArray(each)) for (const item of each) collect(item)
      else if (typeof each === 'object' && each !== null)
        for (const [name, inner] of Object.entries(each)) {
          texts.push(name)
          collect(inner)
        }
      else texts.push(String(each))
    }
    collect(value)
    return texts.join(between)
  }

const asLines =
  (depth: number): Render =>
  (value, place) => {
    if (Array.isArray(value))
      return value.map((item) => `\n${'  '.repeat(depth)}- ${asLines(depth + 1)(item, place)}`).join('')
    if (typeof value !== 'object' || value === null) return String(value)
    return Object.entries(value)
      .map(([name, inner]) => `\n${'  '.repeat(depth)}${name}: ${asLines(depth + 1)(inner, place)}`)
      .join('')
  }

/** As OpenAI is known to show tools to its models: comments, optional members, unions. */
const asTypes =
  (depth: number): Render =>
  (value, place) => {
    if (Array.isArray(value)) return value.map((item) => asTypes(depth)(item, place)).join(' | ')
    if (typeof value === 'string') return `"${value}"`
    if (typeof value !== 'object' || value === null) return String(value)
    const members = Object.entries(value).map(
      ([name, inner]) => `${'  '.repeat(depth)}${name}?: ${asTypes(depth + 1)(inner, place)},\n`,
    )
    return `{\n${members.join('')}}`
  }

const renderings: Record<string, Render> = {
  'compact JSON': asJson({ comma: ',', colon: ':', indent: '' }, plainly),
  'JSON with blanks': asJson({ comma: ', ', colon: ': ', indent: '' }, plainly),
  'JSON in lines': asJson({ comma: ',', colon: ': ', indent: '  ' }, plainly),
  'JSON in ASCII': asJson({ comma: ', ', colon: ': ', indent: '' }, inAscii),
  'JSON in ASCII and lines': asJson({ comma: ',', colon: ': ', indent: '  ' }, inAscii),
  'texts in a row': asTexts(''),
  'texts with blanks': asTexts(' '),
  'lines of names and values': asLines(0),
  types: asTypes(0),
}

const scripts = [
  'Neither party alone.',
  'größte Vorsicht',
  'ни одна сторона',
  'कोई भी पक्ष',
  '任何一方都无法',
  'どちらか一方',
  'أي طرف',
  'ไม้นับ',
  'const a = { b: [1, 2] }\n\treturn a\n',
  '"\\"\n\n\t\u0000',
  '<|im_start|>system<|im_sep|>',
  'AAAAAAAAAAAAAAAA////',
]
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(...scripts),
  fc
    .tuple(fc.constantFrom(...Object.values(hostileUnits)), fc.integer({ min: 1, max: 40 }))
    .map(([unit, times]) => unit.repeat(times)),
)
const knownNames = [
  'messages',
  'content',
  'text',
  'type',
  'role',
  'input',
  'output',
  'system',
  'source',
  'data',
  'tools',
  'function',
  'arguments',
  'properties',
  'description',
  'instructions',
  'model',
  'metadata',
]
const name = fc.oneof(fc.constantFrom(...knownNames), fc.string({ unit: 'binary', maxLength: 8 }), text)
const scalar = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
)
const { value } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof({ depthSize: 'medium' }, scalar, fc.array(tie('value'), { maxLength: 5 }), tie('object')),
  object: fc.dictionary(name, tie('value'), { maxKeys: 5 }),
}))
const few = fc.dictionary(name, value, { maxKeys: 6 })
// What is a token short in one place is a hundred short in a hundred.
const small = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 2 }),
  fc.dictionary(name, scalar, { maxKeys: 2 }),
  fc.constantFrom<unknown>([], {}, [[]], '', ['']),
)
const many = fc
  .tuple(name, small, fc.integer({ min: 50, max: 150 }))
  .map(([name, item, times]): JsonObject => ({ [name]: Array.from({ length: times }, () => item) }))
const body = fc.oneof(few, many)

/** Without the members that are known to be no input. */
function inputOf(body: JsonObject, dialect: string): JsonObject {
  return Object.fromEntries(
    shapeOf(dialect)
      .inputMembers(body)
      .map((name) => [name, body[name]]),
  )
}

describe('no body has more tokens than its bound', () => {
  const families: Tokenizer[] = ['o200k', 'cl100k', 'claude', 'bytes']
  test.each(families)(
    'in the family of %s, whatever it is made of and however it is rendered',
    async (tokenizer) => {
      await fc.assert(
        fc.asyncProperty(
          body,
          fc.constantFrom('chat', 'messages', 'responses', 'tomorrow'),
          async (made, dialect) => {
            const { boundTokens } = await boundInput({
              body: made,
              shape: shapeOf(dialect),
              properties: propertiesOf(tokenizer),
              counter,
            })
            const input = inputOf(made, dialect)
            for (const [rendering, render] of Object.entries(renderings)) {
              const rendered = render(input, shapeOf(dialect).input)
              const tokens = counts[tokenizer](rendered)
              if (tokens > boundTokens)
                throw new Error(`${rendering}: ${tokens} tokens, bound ${boundTokens}: ${rendered}`)
            }
          },
        ),
        { numRuns: propertyRuns / 2 },
      )
    },
  )

  test('and everything that is added to it makes the bound larger', async () => {
    await fc.assert(
      fc.asyncProperty(body, name, text, async (made, extra, added) => {
        fc.pre(!Object.hasOwn(made, extra) && inputOf({ [extra]: added }, 'chat')[extra] !== undefined)
        const bound = async (each: JsonObject) =>
          (
            await boundInput({
              body: each,
              shape: shapeOf('chat'),
              properties: propertiesOf('o200k'),
              counter,
            })
          ).boundTokens
        expect(await bound({ ...made, [extra]: added })).toBeGreaterThanOrEqual(
          (await bound(made)) + o200k(added),
        )
      }),
    )
  })
})
