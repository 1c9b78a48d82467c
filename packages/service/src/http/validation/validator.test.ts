import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { ApiError } from '../../shared/errors.js'
import { createValidatorCompiler } from './validator.js'

type Validate = (data: unknown) => true | { error: unknown }

const compiler = createValidatorCompiler()

function compile(schema: object, httpPart: 'body' | 'querystring' = 'body'): Validate {
  return compiler({ schema, method: 'POST', url: '/', httpPart }) as Validate
}

function faultsOf(validate: Validate, data: unknown): string[] {
  const result = validate(data)
  if (result === true) return []
  if (!(result.error instanceof ApiError)) throw new Error('expected one of our errors')
  expect(result.error).toMatchObject({ type: 'invalid_request', status: 400 })
  return (result.error.extras.details ?? []).map(({ path, message }) => `${path}: ${message}`)
}

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

const Body = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 5 }),
    role: Type.Optional(Type.Enum(['member', 'manager'])),
    limit: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 10 }))),
    models: Type.Optional(Nullable(Type.Array(Type.String({ minLength: 2 }), { maxItems: 2 }))),
    until: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
    user: Type.Optional(
      Type.String({ minLength: 1, pattern: '^[a-z]+$', 'x-expects': 'lower-case letters' }),
    ),
    scope: Type.Optional(Type.Object({ type: Type.String() }, { additionalProperties: false })),
    kind: Type.Optional(Type.Union([Type.Literal('generic'), Type.Literal('chat')])),
    price: Type.Optional(
      Type.Union([Type.Literal('free'), Type.Object({ input: Type.Number({ minimum: 0 }) })]),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)

test.each([
  ['a missing field', {}, ['name: is required', ': needs at least one field']],
  ['an unknown field', { name: 'a', nmae: 'b' }, ['nmae: unknown field']],
  ['a field of another type', { name: 7 }, ['name: must be a string']],
  ['an empty text', { name: '' }, ['name: must not be empty']],
  ['a text that is too long', { name: 'abcdef' }, ['name: must have at most 5 characters']],
  ['a choice', { name: 'a', role: 'boss' }, ['role: must be one of member, manager']],
  ['null where it is not allowed', { name: 'a', role: null }, ['role: must be one of member, manager']],
  [
    'a nullable number of another type',
    { name: 'a', limit: '60' },
    ['limit: must be a whole number or null'],
  ],
  ['a fraction', { name: 'a', limit: 1.5 }, ['limit: must be a whole number or null']],
  ['a nullable number below its bound', { name: 'a', limit: 0 }, ['limit: must be at least 1']],
  ['a nullable number above its bound', { name: 'a', limit: 11 }, ['limit: must be at most 10']],
  [
    'an item of a nullable list',
    { name: 'a', models: ['ok', 'x'] },
    ['models.1: must have at least 2 characters'],
  ],
  ['a nullable list that is a text', { name: 'a', models: 'x' }, ['models: must be an array or null']],
  ['a pattern', { name: 'a', user: '' }, ['user: must be lower-case letters']],
  [
    'a nested field',
    { name: 'a', scope: { typ: 'x' } },
    ['scope.type: is required', 'scope.typ: unknown field'],
  ],
  ['a union of literals', { name: 'a', kind: 'slack' }, ['kind: must be one of generic, chat']],
  ['a union of a literal and an object', { name: 'a', price: 5 }, ['price: must be free or an object']],
  ['the branch that was meant', { name: 'a', price: { input: -1 } }, ['price.input: must be at least 0']],
])('a fault says what is expected: %s', (_, body, expected) => {
  expect(faultsOf(compile(Body), body).sort()).toEqual(expected.sort())
})

test.each([
  'tomorrow',
  '2026-01-31',
  '2026-01-31 09:30:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-31T09:30:00',
  '2026-12-31T23:59:60Z',
  '2026-01-31T25:00:00Z',
])('a time must be a moment that exists, with its zone: %s is refused', (until) => {
  expect(faultsOf(compile(Body), { name: 'a', until })).toEqual([
    'until: must be a date and time with its zone, such as 2026-01-31T09:30:00Z',
  ])
})

test.each(['2026-01-31T09:30:00Z', '2028-02-29T09:30:00.123456+05:30', '2026-01-31T09:30:00-08:00', null])(
  'a time that exists is taken: %s',
  (until) => expect(faultsOf(compile(Body), { name: 'a', until })).toEqual([]),
)

const Rule = Type.Object({
  rule: Type.Union([
    Type.Object(
      { kind: Type.Literal('words'), words: Type.Array(Type.String(), { minItems: 1 }) },
      { additionalProperties: false },
    ),
    Type.Object({ kind: Type.Literal('limit'), most: Type.Integer() }, { additionalProperties: false }),
  ]),
})

test.each([
  [{ kind: 'words', words: [] }, ['rule.words: needs at least one item']],
  [{ kind: 'words', words: ['a'], most: 1 }, ['rule.most: unknown field']],
  [{ kind: 'limit', most: 'x' }, ['rule.most: must be a whole number']],
  [{ kind: 'other', most: 1 }, ['rule.kind: must be one of words, limit']],
  ['words', ['rule: must be an object']],
])('of a union told apart by a field, only the branch that was meant is explained: %j', (rule, expected) => {
  expect(faultsOf(compile(Rule), { rule })).toEqual(expected)
})

test('names in a free-form object are bounded too', () => {
  const schema = {
    type: 'object',
    propertyNames: { type: 'string', maxLength: 3 },
    additionalProperties: { type: 'string' },
  }
  expect(faultsOf(compile(schema), { abcd: 'x' })).toContain('abcd: the name must have at most 3 characters')
  expect(faultsOf(compile(schema), { abc: 1 })).toEqual(['abc: must be a string'])
})

test('at most twenty faults are listed, and the message says how many more there are', () => {
  const body = { name: 'a', ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, 1])) }
  expect(faultsOf(compile(Body), body)).toHaveLength(20)
  const result = compile(Body)(body)
  expect(result !== true && result.error).toMatchObject({ message: expect.stringContaining('and 10 more') })
})

test('text in a query is converted; a parameter that is unknown or given twice is named', () => {
  const query = Type.Object(
    { limit: Type.Optional(Type.Integer({ maximum: 200 })) },
    { additionalProperties: false },
  )
  const validate = compile(query, 'querystring')
  const data = { limit: '20' }
  expect(faultsOf(validate, data)).toEqual([])
  expect(data).toEqual({ limit: 20 })
  expect(faultsOf(validate, { limit: '201' })).toEqual(['limit: must be at most 200'])
  expect(faultsOf(validate, { limit: ['1', '2'] })).toEqual(['limit: may be given only once'])
  expect(faultsOf(validate, { limt: '1' })).toEqual(['limt: unknown query parameter'])
})

test('bodies are not coerced: text does not become a number', () => {
  expect(faultsOf(compile(Body), { name: 'a', limit: '5' })).not.toEqual([])
})
