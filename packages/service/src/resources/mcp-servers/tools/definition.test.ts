import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../../record/src/json/index.js'
import { hashOf, readListing, writeDefinition } from './definition.js'

const inputSchema = { type: 'object' }
const tool = (name: string, more: JsonObject = {}): JsonObject => ({ name, inputSchema, ...more })

function read(tools: readonly JsonObject[]) {
  const listing = readListing(tools)
  if ('refusal' in listing) throw new Error(listing.refusal)
  return listing
}
const refusalOf = (tools: readonly JsonObject[]) => {
  const listing = readListing(tools)
  return 'refusal' in listing ? listing.refusal : null
}

describe('a definition', () => {
  test('is written the same whatever the order of its members, and reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.jsonValue({ maxDepth: 3 }), (a, b) => {
        const text = writeDefinition({ name: 't', a, b })
        const turned = writeDefinition({ b, a, name: 't' })
        expect(turned).toBe(text)
        expect(JSON.parse(text ?? '')).toEqual(JSON.parse(JSON.stringify({ name: 't', a, b })))
      }),
    )
  })

  test('two that differ anywhere have different hashes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
        const [first, second] = [writeDefinition({ a }), writeDefinition({ a: b })]
        expect(hashOf(first ?? '') === hashOf(second ?? '')).toBe(same)
      }),
    )
  })

  test('is pinned whole, but for _meta', () => {
    const plain = writeDefinition(tool('t'))
    expect(writeDefinition(tool('t', { _meta: { anything: 1 } }))).toBe(plain)
    for (const more of [
      { title: 'T' },
      { description: '' },
      { annotations: { readOnlyHint: true } },
      { outputSchema: { type: 'object' } },
      { icons: [{ src: 'https://example.com/i.png' }] },
      { unknownMember: 1 },
    ])
      expect(writeDefinition(tool('t', more))).not.toBe(plain)
  })

  test('has names of prototypes as any other', () => {
    const definition = JSON.parse(
      '{"name":"__proto__","inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"const":1.5}}}}',
    )
    const { tools } = read([definition])
    expect([...tools.keys()]).toEqual(['__proto__'])
    expect(JSON.parse(tools.get('__proto__')?.text ?? '')).toEqual(definition)
    expect(tools.get('__proto__')?.text).toContain('"properties":{"__proto__":')
  })

  test('fractions, nulls and halves of characters are no reason to refuse it', () => {
    const text = writeDefinition({ a: [0.1, -0, 1e30, null], b: '\ud800', c: '\u0000' })
    expect(text).toBe('{"a":[0.1,0,1e+30,null],"b":"\\ud800","c":"\\u0000"}')
  })
})

describe('a listing', () => {
  test('with a name twice: neither of them can be called', () => {
    const { tools } = read([tool('a'), tool('b'), tool('a', { description: 'another' })])
    expect(tools.get('a')?.fault).toContain('two tools of this name')
    expect(tools.get('b')?.fault).toBeNull()
    // Whichever comes first, and though they are the same.
    expect(read([tool('a'), tool('a'), tool('a')]).tools.get('a')?.fault).not.toBeNull()
  })

  test.each([
    ['none', ''],
    ['one that is too long', 'x'.repeat(129)],
    ['a blank', 'a b'],
    ['a pattern', '*'],
    ['a hidden character', 'read\u200bfile'],
    ['another script', 'ﬁle'],
    ['a line end', 'a\n'],
    ['the address above', '..'],
    ['a quote', 'a"b'],
  ])('leaves out a tool whose name is %s, and says so', (_, name) => {
    const { tools, leftOut } = read([tool(name), tool('fine')])
    expect([...tools.keys()]).toEqual(['fine'])
    expect(leftOut).toContain('1 whose names are not')
  })

  test.each([['x'.repeat(128)], ['a.b/c-d_e'], ['_x'], ['9'], ['constructor'], ['A__b']])(
    'keeps a tool called %s',
    (name) => {
      expect([...read([tool(name)]).tools.keys()]).toEqual([name])
    },
  )

  test('leaves out what is too long or too deep, and says so', () => {
    let deep: unknown = 1
    for (let level = 0; level < 100; level++) deep = { deep }
    const { tools, leftOut } = read([
      tool('long', { description: 'x'.repeat(300_000) }),
      tool('deep', { deep }),
      tool('wide', { wide: Array.from({ length: 200_000 }, () => []) }),
      tool('fine'),
    ])
    expect([...tools.keys()]).toEqual(['fine'])
    expect(leftOut).toContain('3 with more than 262144 characters')
  })

  test('of more than can be kept is refused in words', () => {
    expect(refusalOf(Array.from({ length: 10_000 }, (_, index) => tool(`t${index}`)))).toBe(
      'It lists 10000 tools; at most 1000 can be kept',
    )
    const large = Array.from({ length: 50 }, (_, index) =>
      tool(`t${index}`, { description: 'x'.repeat(100_000) }),
    )
    expect(refusalOf(large)).toContain('more than 4194304 characters')
  })

  test.each([
    ['no input schema', { inputSchema: undefined }],
    ['an input schema that is no object', { inputSchema: { type: 'array' } }],
    ['a description that is no text', { description: 5 }],
    ['annotations that are no flags', { annotations: { readOnlyHint: 'yes' } }],
    ['icons that lead nowhere', { icons: [{}] }],
    ['a list as its output schema', { outputSchema: [] }],
  ])('a tool with %s cannot be called: official clients refuse the whole list for it', (_, more) => {
    const { tools } = read([tool('t', more)])
    expect(tools.get('t')?.fault).toContain('not what the protocol says')
  })
})

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return { members: members.map(([name, item]) => [name, sorted(item)]) }
}
