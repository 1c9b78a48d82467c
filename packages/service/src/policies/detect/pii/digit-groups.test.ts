import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../test/harness/run/property-runs.js'
import { endOfRun, isDigit } from '../characters.js'
import { matchCard } from './card.js'
import { hasDigits } from './digit-groups.js'
import { matchUsSsn } from './us-ssn.js'

test('cards and social security numbers have seven digits before anything but digits and separators', () => {
  const part = fc.constantFrom(
    '4111',
    '1111',
    '5500 0000 0000 0004',
    '378282',
    '246310005',
    '123',
    '45',
    '6789',
    'ssn ',
  )
  const text = fc
    .array(fc.tuple(part, fc.constantFrom('', ' ', '-', '.', ',', '/', '(')), { maxLength: 8 })
    .map((parts) => parts.flat().join(''))
  fc.assert(
    fc.property(text, (text) => {
      for (let place = 0; place < text.length; place++) {
        if (!isDigit(text.charCodeAt(place)) || isDigit(text.charCodeAt(place - 1))) continue
        const length = endOfRun(text, place, isDigit, text.length) - place
        const found = matchCard(text, place, length) ?? matchUsSsn(text, place, length)
        if (found !== undefined) expect(hasDigits(text, place, 7)).toBe(true)
      }
    }),
    { numRuns: 10 * propertyRuns },
  )
})
