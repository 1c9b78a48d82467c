import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editMembers, type Member } from './members.js'
import { JsonReader } from './reader.js'

// JSON as other people write it: any blanks, escapes in names, numbers whose digits a parser would change.
const blank = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 3 })
const escapedName = fc
  .string({ unit: 'grapheme', maxLength: 6 })
  .chain((name) =>
    fc
      .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
      .map(
        (escaped) => `"${[...name].map((letter, i) => writeLetter(letter, escaped[i] === true)).join('')}"`,
      ),
  )
const scalar = fc.oneof(
  fc.constantFrom('1.0', '1e400', '-0', '0.10', '12345678901234567890', '1E+2', 'true', 'false', 'null'),
  fc.constantFrom(
    '""',
    '"\\\\"',
    '"\\""',
    '"a\\\\\\"b"',
    '"}{]["',
    '"\\u0022,\\u005c"',
    '"é😀"',
    '"\\ud83d"',
  ),
  escapedName,
)
const { value } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, tie('array'), tie('object')),
  array: fc
    .array(
      fc.tuple(blank, tie('value'), blank).map((piece) => piece.join('')),
      { maxLength: 3 },
    )
    .map((items) => `[${items.join(',')}]`),
  object: fc
    .uniqueArray(fc.tuple(blank, escapedName, blank, fc.constant(':'), blank, tie('value'), blank), {
      maxLength: 3,
      selector: ([, name]): string => JSON.parse(name),
    })
    .map((members) => `{${members.map((piece) => piece.join('')).join(',')}}`),
}))

/** An object with its pieces: what stands around each member, its name as written, its value as written. */
const written = fc.record({
  before: blank,
  after: blank,
  empty: blank,
  members: fc.uniqueArray(
    fc.record({ lead: blank, name: escapedName, colon: fc.tuple(blank, blank), value, trail: blank }),
    { maxLength: 6, selector: ({ name }): string => JSON.parse(name) },
  ),
})
type Written = typeof written extends fc.Arbitrary<infer T> ? T : never

function writeLetter(letter: string, escaped: boolean): string {
  if (!escaped) return JSON.stringify(letter).slice(1, -1)
  return letter
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

function write({ before, after, empty, members }: Written): Buffer {
  const inner = members.map(
    ({ lead, name, colon, value, trail }) => `${lead}${name}${colon.join(':')}${value}${trail}`,
  )
  return Buffer.from(`${before}{${members.length === 0 ? empty : inner.join(',')}}${after}`)
}

function findMembers(json: Buffer): Member[] {
  const bounds = { depth: 100, containers: 10_000, objectMembers: 10_000, members: 10_000, values: 10_000 }
  const reader = new JsonReader(json, bounds)
  while (!reader.run());
  return reader.result.members
}

const nameOf = (member: Written['members'][number]): string => JSON.parse(member.name)

describe('members of a JSON object', () => {
  test('are found with the very bytes of their values, whatever blanks, escapes and nesting surround them', () => {
    fc.assert(
      fc.property(written, (object) => {
        const json = write(object)
        const found = findMembers(json).map(({ name, valueStart, valueEnd }) => [
          name,
          json.toString('utf8', valueStart, valueEnd),
        ])
        expect(found).toEqual(object.members.map((member) => [nameOf(member), member.value]))
      }),
    )
  })

  test('are set without any other byte changing', () => {
    fc.assert(
      fc.property(
        written,
        fc.infiniteStream(fc.option(value, { nil: undefined })),
        (object, replacements) => {
          const json = write(object)
          const edits = new Map<string, string>()
          const members = object.members.map((member) => {
            const replacement = replacements.next().value
            if (replacement === undefined) return member
            edits.set(nameOf(member), replacement)
            return { ...member, value: replacement }
          })
          expect(editMembers(json, findMembers(json), edits).toString()).toBe(
            write({ ...object, members }).toString(),
          )
        },
      ),
    )
  })

  test('are added at the end, and everything before stays as it is', () => {
    fc.assert(
      fc.property(written, value, (object, added) => {
        fc.pre(object.members.every((member) => nameOf(member) !== 'brand new'))
        const json = write(object)
        const edited = editMembers(json, findMembers(json), new Map([['brand new', added]])).toString()
        const [last] = findMembers(json).slice(-1)
        const kept = json.subarray(0, last?.valueEnd ?? json.indexOf('{') + 1).toString()
        expect(edited).toBe(
          `${kept}${last ? ',' : ''}"brand new":${added}${json.toString('utf8', Buffer.byteLength(kept))}`,
        )
        expect(JSON.parse(edited)).toEqual({ ...JSON.parse(json.toString()), 'brand new': JSON.parse(added) })
      }),
    )
  })

  test('are taken out with one comma each, and what is left keeps its bytes', () => {
    fc.assert(
      fc.property(written, fc.infiniteStream(fc.boolean()), (object, choices) => {
        const json = write(object)
        const removed = new Set(object.members.filter(() => choices.next().value).map(nameOf))
        const edits = new Map([...removed].map((name) => [name, null]))
        const edited = editMembers(json, findMembers(json), edits)
        const stays = object.members.filter((member) => !removed.has(nameOf(member)))
        const left = findMembers(edited).map((at) => edited.toString('utf8', at.nameStart, at.valueEnd))
        expect(left).toEqual(stays.map(({ name, colon, value }) => `${name}${colon.join(':')}${value}`))
        expect(JSON.parse(edited.toString())).toEqual(
          Object.fromEntries(
            Object.entries(JSON.parse(json.toString())).filter(([name]) => !removed.has(name)),
          ),
        )
      }),
    )
  })
})
