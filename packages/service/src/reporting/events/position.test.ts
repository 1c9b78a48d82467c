import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCursors } from '../../http/index.js'
import { alertStep, callStep, createEventIds, lastCompleteSeq } from './position.js'

const ids = createEventIds(createCursors(Buffer.alloc(32, 1)))
const count = fc.integer({ min: 0, max: 2 ** 51 })

test('an id encodes the position of a stream, and is valid only for its tenant', () => {
  fc.assert(
    fc.property(count, count, (step, alert) => {
      const id = ids.encode('tenant', { step, alert })
      expect(ids.decode('tenant', id)).toEqual({ step, alert })
      expect(() => ids.decode('other', id)).toThrow('lastEventId: was not issued')
      // It is sent in a header and on a line of its own.
      expect(id).toMatch(/^[\w-]+$/)
    }),
  )
})

test('forged and altered ids are refused', () => {
  const id = ids.encode('tenant', { step: 4_711, alert: 12 })
  fc.assert(
    fc.property(fc.nat(id.length - 1), fc.constantFrom(...'aZ09-_. '), (place, letter) => {
      fc.pre(id[place] !== letter)
      const changed = id.slice(0, place) + letter + id.slice(place + 1)
      expect(() => ids.decode('tenant', changed)).toThrow('lastEventId: was not issued')
    }),
  )
  for (const text of ['0', '1-1', 'c1-a1', Buffer.from('1-1').toString('base64url')])
    expect(() => ids.decode('tenant', text)).toThrow('lastEventId: was not issued')
})

test('an entry is complete after its alert, not after its call', () => {
  expect([callStep(7), alertStep(7), callStep(8)].map(lastCompleteSeq)).toEqual([6, 7, 7])
  expect(lastCompleteSeq(alertStep(0))).toBe(0)
})
