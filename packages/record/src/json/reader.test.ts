import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/harness/run/property-runs.js'
import { JsonError } from './json-error.js'
import { JsonReader, readJson } from './reader.js'

const bounds = { depth: 50, containers: 1_000, objectMembers: 600, members: 1_000, values: 2_000 }

/** With as little work in a turn as there can be, or as much. */
function read(json: string | Buffer, work = 1): unknown {
  const reader = new JsonReader(Buffer.from(json), bounds)
  while (!reader.run(work));
  return reader.result.value
}

const membersOf = (count: number): string =>
  `{${Array.from({ length: count }, (_, i) => `"m${i}":1`).join(',')}}`

const faultOf = (json: string | Buffer): string => {
  try {
    read(json)
    return ''
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return error.path === null ? error.message : `${error.path}: ${error.message}`
  }
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('\\', '"', '\\"', '\\\\', '\u0000', '\u2028', '😀', '__proto__', 'constructor', '1', '01'),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(true, false, null, -0, 1e21, 5e-324),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 5 }),
  ),
}))

describe('the reader of JSON', () => {
  test('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(value, fc.nat(3), fc.constantFrom(1, 100, 1_000_000), (each, indent, work) => {
        const json = JSON.stringify(each, null, indent)
        const found = read(json, work)
        expect(found).toEqual(JSON.parse(json))
        expect(JSON.stringify(found)).toBe(JSON.stringify(JSON.parse(json)))
      }),
      { numRuns: 10 * propertyRuns },
    )
  })

  test('refuses what JSON.parse refuses', () => {
    const pieces = [
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '"a"',
        '"b":',
        '\\',
        '\\u00',
        '1',
        '-',
        '.',
        'e',
        '+',
        '0',
        'true',
      ],
      ...[
        'nul',
        'null',
        ' ',
        '\n',
        '\t',
        '\u00a0',
        '\ufeff',
        '\u0001',
        'é',
        '01',
        '1.',
        '.5',
        '1e5',
        "'a'",
        '//',
      ],
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const json = parts.join('')
        let parsed: unknown
        try {
          parsed = JSON.parse(json)
        } catch {
          expect(faultOf(json)).toMatch(/^Malformed JSON: /)
          return
        }
        if (/"(.*?)":.*"\1":/.test(json)) return
        expect(read(json)).toEqual(parsed)
      }),
      { numRuns: 10 * propertyRuns },
    )
  })

  test('refuses a text that was damaged, or reads what JSON.parse does', () => {
    fc.assert(
      fc.property(value, fc.nat(), fc.constantFrom(...'{}[],:"\\1e-.t \n'), (each, where, put) => {
        const json = JSON.stringify(each)
        const at = where % (json.length + 1)
        // As bytes: half of a pair becomes something else.
        const damaged = Buffer.from(json.slice(0, at) + put + json.slice(at + (where % 2))).toString()
        let parsed: unknown
        try {
          parsed = JSON.parse(damaged)
        } catch {
          expect(faultOf(damaged)).not.toBe('')
          return
        }
        const fault = faultOf(damaged)
        if (!/twice|too many digits/.test(fault)) expect(read(damaged)).toEqual(parsed)
      }),
      { numRuns: 10 * propertyRuns },
    )
  })

  test('reads long strings in pieces, wherever these are cut', () => {
    const units = ['a', '\\n', '\\u0041', '\\\\', '\\"', 'é', '語', '😀', '\\ud83d\\ude00', '\\ud83d']
    for (const unit of units) {
      for (const shift of [0, 1, 2, 3, 4, 5]) {
        const json = `["${'x'.repeat(shift)}${unit.repeat(300_000 / unit.length + 1)}",1]`
        expect(read(json)).toEqual(JSON.parse(json))
      }
    }
    expect(faultOf(`["${'\\'.repeat(300_001)}"]`)).toMatch(/^Malformed/)
    expect(faultOf(`["${'a'.repeat(300_000)}\n"]`)).toMatch(/^Malformed/)
    expect(faultOf(`["${'a'.repeat(300_000)}`)).toMatch(/^Malformed/)
  })

  test('reads strings of any length, made of any units, and refuses one that is broken anywhere', () => {
    const unit = fc.constantFrom(
      'a',
      'plain words ',
      '\\n',
      '\\"',
      '\\\\',
      '\\u00e9',
      'é',
      '語',
      '😀',
      '\\ud83d',
    )
    const fault = fc.constantFrom('\u0000', '\u001f', '\n', '\\x', '\\u00g0', '"')
    const broken = fc.oneof({ weight: 20, arbitrary: fc.constant('') }, fault)
    const part = fc.tuple(unit, fc.oneof(fc.nat(9), fc.nat(700), fc.nat(60_000)), broken)
    fc.assert(
      fc.property(fc.array(fc.array(part, { maxLength: 4 }), { maxLength: 4 }), (strings) => {
        const texts = strings.map((parts) => parts.map(([each, n, fault]) => each.repeat(n) + fault).join(''))
        const json = JSON.stringify(texts.map(() => '')).replace(/""/g, () => `"${texts.shift()}"`)
        let parsed: unknown
        try {
          parsed = JSON.parse(json)
        } catch {
          expect(faultOf(json)).toMatch(/^Malformed/)
          return
        }
        expect(read(json)).toEqual(parsed)
      }),
      { numRuns: propertyRuns },
    )
  })

  test('tells where the members of the outermost object stand', async () => {
    const json = Buffer.from(' { "a" : [1, {"x":2}] ,"\\u0062":"}{" , "c":-1.5e3}')
    const { members } = await readJson(json, bounds, async () => undefined)
    expect(
      members.map(({ name, valueStart, valueEnd }) => [name, json.toString('utf8', valueStart, valueEnd)]),
    ).toEqual([
      ['a', '[1, {"x":2}]'],
      ['b', '"}{"'],
      ['c', '-1.5e3'],
    ])
  })

  test.each([
    ['a member that stands twice', '{"a":[{"b":1,"c":2,"\\u0062":3}]}', 'a.0.b: occurs twice in its object'],
    [
      'a number with too many digits',
      `{"a":{"n":[1,${'9'.repeat(41)}]}}`,
      'a.n.1: is a number with too many digits',
    ],
    ['what is nested too deep', '['.repeat(51), 'The body is nested more than 50 levels deep'],
    ['too many objects', `[${'{},'.repeat(1_000)}{}]`, 'The body has more than 1,000 objects and arrays'],
    ['too many members', `[${membersOf(501)},${membersOf(500)}]`, 'The body has more than 1,000 members'],
    ['an object that is too large', membersOf(601), 'The body has more than 600 members in one object'],
    ['too many items', `[${'1,'.repeat(2_000)}1]`, 'The body has more than 2,000 values'],
    ['nothing', '', 'Malformed JSON: the body is empty'],
    ['two values', '{} {}', 'Malformed JSON: the end was expected at byte 3, and there is "{}"'],
    ['half a body', '{"a":', 'Malformed JSON: it ends where a value should be'],
  ])('refuses %s and says so', (_what, json, message) => {
    expect(faultOf(json)).toContain(message)
  })

  test('refuses bytes that are not UTF-8', () => {
    expect(() => read(Buffer.from([0x22, 0xff, 0x22]))).toThrow('not UTF-8')
  })
})
