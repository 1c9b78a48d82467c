import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffDefinitions } from './diff.js'

test('says where and how two definitions differ', () => {
  const before = {
    name: 'read',
    description: 'Reads a file.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, 'odd name': { type: 'number' } },
      required: ['path'],
      anyOf: [{ const: 1 }, { const: 2 }],
    },
  }
  const after = {
    name: 'read',
    description: 'Reads a file\u200b.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Any' }, 'odd name': { type: 'integer' } },
      required: ['encoding', 'path'],
      anyOf: [{ const: 1 }, { const: 3 }],
    },
    annotations: { readOnlyHint: true },
  }
  expect(diffDefinitions(before, after)).toEqual([
    { path: 'annotations', before: null, after: '{"readOnlyHint":true}' },
    { path: 'description', before: '"Reads a file."', after: '"Reads a file\\u200b."' },
    { path: 'inputSchema.anyOf[1].const', before: '2', after: '3' },
    { path: 'inputSchema.properties["odd name"].type', before: '"number"', after: '"integer"' },
    { path: 'inputSchema.properties.path.description', before: null, after: '"Any"' },
    { path: 'inputSchema.required', before: '["path"]', after: '["encoding","path"]' },
  ])
})

test('is empty for the same definition, and for no other', () => {
  const anyDefinition = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
  fc.assert(
    fc.property(anyDefinition, anyDefinition, (a, b) => {
      const [first, second] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))]
      expect(diffDefinitions(first, first)).toEqual([])
      const isSame = JSON.stringify(sorted(first)) === JSON.stringify(sorted(second))
      expect(diffDefinitions(first, second).length === 0).toBe(isSame)
    }),
  )
})

test('a member named __proto__ is compared like any other', () => {
  expect(diffDefinitions(JSON.parse('{"__proto__":1}'), JSON.parse('{}'))).toEqual([
    { path: '__proto__', before: '1', after: null },
  ])
  expect(diffDefinitions({}, JSON.parse('{"a":{"constructor":{"x":1}}}'))).toEqual([
    { path: 'a', before: null, after: '{"constructor":{"x":1}}' },
  ])
})

test('more than can be read is said to be so', () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}`, index]))
  const diff = diffDefinitions({}, many)
  expect(diff).toHaveLength(201)
  expect(diff.at(-1)).toEqual({
    ...{ path: '…', before: null, after: '100 more differences: compare the definitions' },
  })
})

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, item]) => [name, { item: sorted(item) }])
      : value
