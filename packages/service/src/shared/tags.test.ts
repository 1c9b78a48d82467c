import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  defaultTagsOf,
  isSessionId,
  isTagName,
  isTagValue,
  maxTags,
  noTags,
  readTagScope,
  readTags,
  tagScopesOf,
} from './tags.js'

const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/)
const value = fc
  .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
  .map((text) => text.trim())
  .filter((text) => isTagValue(text))
const tags = fc.dictionary(name, value, { maxKeys: maxTags, noNullPrototype: true })

const read = (text: string, defaults = noTags) => {
  const answer = readTags(text, defaults)
  if ('fault' in answer) throw new Error(answer.fault)
  return answer.tags
}
const faultIn = (text: string, defaults = noTags) => {
  const answer = readTags(text, defaults)
  return 'fault' in answer ? answer.fault : null
}

test('what was written is read again, whatever blanks stand around it', () => {
  fc.assert(
    fc.property(tags, (given) => {
      const header = Object.entries(given)
        .map(([tag, text]) => ` ${tag} = ${text} `)
        .join(',')
      expect(read(header)).toEqual(given)
      for (const id of tagScopesOf(read(header))) expect(readTagScope(id)).not.toBeNull()
    }),
  )
})

test('anything at all is read as tags that can be filed, or refused in words', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), (text) => {
      const answer = readTags(text, noTags)
      if ('fault' in answer) {
        expect(answer.fault).toMatch(/tags|twice/)
        return
      }
      const entries = Object.entries(answer.tags)
      expect(entries.length).toBeLessThanOrEqual(maxTags)
      for (const [tag, text] of entries) expect([isTagName(tag), isTagValue(text)]).toEqual([true, true])
    }),
  )
})

test.each([
  ['project', 'must be tags'],
  ['=alpha', 'must be tags'],
  ['project=', 'must be tags'],
  ['project=*', 'must be tags'],
  ['__proto__=x', 'must be tags'],
  [`project=${'x'.repeat(129)}`, 'must be tags'],
  [`project=x tallystick_sk_${'a1'.repeat(20)}`, 'must be tags'],
  ['a=1,a=2', 'has the tag a twice'],
  ['a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1', 'makes 9 tags'],
])('%s is refused', (text, fault) => {
  expect(faultIn(text)).toContain(fault)
})

test('a caller changes the tags of its key, and cannot push one out', () => {
  const defaults = defaultTagsOf({ project: 'alpha', env: 'prod' })
  expect(read('env=dev', defaults)).toEqual({ env: 'dev', project: 'alpha' })
  expect(faultIn('a=1,b=1,c=1,d=1,e=1,f=1,g=1', defaults)).toContain('makes 9 tags')
})

test('metadata that cannot be a tag is none', () => {
  const metadata = { note: 'one, two', 'a b': 'x', lone: '\ud800', empty: '', project: 'alpha' }
  expect(defaultTagsOf(metadata)).toEqual({ project: 'alpha' })
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`tag${i + 10}`, 'x']))
  expect(Object.keys(defaultTagsOf(many))).toHaveLength(maxTags)
})

test('a virtual key is no session', () => {
  expect([isSessionId('run tallystick_sk_7'), isSessionId(`tallystick_sk_${'a1'.repeat(20)}`)]).toEqual([
    true,
    false,
  ])
})

test('marks that change the direction of writing are neither in tags nor in sessions', () => {
  for (const point of [0x061c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069]) {
    const text = `a${String.fromCodePoint(point)}b`
    expect([isTagValue(text), isSessionId(text)]).toEqual([false, false])
  }
})
