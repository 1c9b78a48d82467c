import { expect, test } from 'vitest'
import { newId, timeOfId } from './ids.js'

test('an id is its prefix, an underscore and 26 characters', () => {
  expect(newId('key')).toMatch(/^key_[0-9a-hjkmnp-tv-z]{26}$/)
  expect(newId('breq')).toMatch(/^breq_[0-9a-hjkmnp-tv-z]{26}$/)
})

test('ids sort in the order they were made in, however many fall on one millisecond', () => {
  const ids = Array.from({ length: 100_000 }, () => newId('key'))
  expect(ids.filter((id, i) => i > 0 && id <= (ids[i - 1] ?? ''))).toHaveLength(0)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a clock that is set back a little does not turn the order round', () => {
  // Files before this one in the process may have had a clock of their own: now it is right.
  newId('key', Date.now() + 3_600_000)
  newId('key')
  const later = newId('key', Date.now() + 50)
  const earlier = newId('key', Date.now() - 30_000)
  expect(earlier > later).toBe(true)
})

test('a clock that was an hour ahead is put right: the ids after that tell the right time', () => {
  newId('key', Date.now() + 3_600_000)
  const now = Date.now()
  expect(timeOfId(newId('key', now))).toBe(now)
})

test('the time can be read from the front of an id', () => {
  const at = Date.now() + 1_000
  const time = newId('req', at).slice(4, 14)
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
  expect([...time].reduce((sum, letter) => sum * 32 + alphabet.indexOf(letter), 0)).toBe(at)
})
