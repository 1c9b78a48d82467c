import { expect, test } from 'vitest'
import { readPeriod } from './attestation-period.js'

const now = new Date('2026-11-15T09:30:00.123Z')

test('days are counted back from now, 30 by default', () => {
  expect(readPeriod({}, now)).toEqual({
    label: 'last-30-days',
    days: 30,
    fromTs: '2026-10-16T09:30:00.123Z',
    toTs: '2026-11-15T09:30:00.123Z',
  })
  expect(readPeriod({ days: 1 }, now)).toMatchObject({
    label: 'last-1-days',
    fromTs: '2026-11-14T09:30:00.123Z',
  })
})

test('a month is a calendar month in UTC, also with a leap day and in December', () => {
  expect(readPeriod({ period: '2026-11' }, now)).toEqual({
    label: '2026-11',
    days: 30,
    fromTs: '2026-11-01T00:00:00.000Z',
    toTs: '2026-12-01T00:00:00.000Z',
  })
  expect(readPeriod({ period: '2028-02' }, now)).toMatchObject({ days: 29, toTs: '2028-03-01T00:00:00.000Z' })
  expect(readPeriod({ period: '2026-12' }, now)).toMatchObject({ days: 31, toTs: '2027-01-01T00:00:00.000Z' })
})

test('days and a period exclude each other', () => {
  expect(() => readPeriod({ days: 3, period: '2026-11' }, now)).toThrow('goes without days')
})
