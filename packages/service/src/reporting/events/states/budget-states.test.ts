import { expect, test } from 'vitest'
import type { BudgetEvent } from '../schema.js'
import { SentBudgetStates } from './budget-states.js'

const budget = (fields: Partial<BudgetEvent>): BudgetEvent => ({
  id: 'bud_1',
  name: 'A budget',
  scope: { type: 'tenant', id: 'tenant' },
  amountUsd: 10,
  grantedUsd: 0,
  period: 'monthly',
  thresholdPct: 80,
  action: 'block',
  spentUsd: 0,
  reservedUsd: 0,
  remainingUsd: 10,
  forecastUsd: null,
  periodStart: '2026-11-01T00:00:00.000Z',
  periodEnd: '2026-12-01T00:00:00.000Z',
  share: 0,
  deleted: false,
  ...fields,
})

test('a budget state is sent again when it changed by a percent, or a setting changed, not after each call', () => {
  const told = new SentBudgetStates()
  const count = (fields: Partial<BudgetEvent>) => told.changes([budget(fields)]).length
  expect(count({})).toBe(1)
  expect(count({ spentUsd: 0.05, remainingUsd: 9.95 })).toBe(0)
  expect(count({ spentUsd: 0.099, remainingUsd: 9.901 })).toBe(0)
  expect(count({ spentUsd: 0.101, remainingUsd: 9.899 })).toBe(1)
  expect(count({ spentUsd: 0.101, reservedUsd: 0.05 })).toBe(0)
  expect(count({ spentUsd: 0.101, reservedUsd: 2 })).toBe(1)
  expect(count({ spentUsd: 0.101 })).toBe(1)
  expect(count({ spentUsd: 0.101, grantedUsd: 5 })).toBe(1)
  expect(count({ periodStart: '2026-12-01T00:00:00.000Z', periodEnd: '2027-01-01T00:00:00.000Z' })).toBe(1)
})

test('a thousand calls of a thousandth of a percent are one change', () => {
  const told = new SentBudgetStates()
  let steps = 0
  for (let call = 0; call <= 1_000; call++)
    steps += told.changes([budget({ spentUsd: call * 0.0001 })]).length
  expect(steps).toBe(2)
})

test('a deleted budget is sent once, in its last state', () => {
  const told = new SentBudgetStates()
  told.changes([budget({ spentUsd: 3 }), budget({ id: 'bud_2' })])
  expect(told.changes([budget({ id: 'bud_2' })])).toEqual([budget({ spentUsd: 3, deleted: true })])
  expect(told.changes([budget({ id: 'bud_2' })])).toEqual([])
})

test('a budget of zero is exhausted from the start', () => {
  const told = new SentBudgetStates()
  expect(told.changes([budget({ amountUsd: 0 })])).toHaveLength(1)
  expect(told.changes([budget({ amountUsd: 0, spentUsd: 1 })])).toEqual([])
})

test('a forecast that changes with time is sent by the percent', () => {
  const told = new SentBudgetStates()
  const count = (forecastUsd: number | null) => told.changes([budget({ forecastUsd })]).length
  expect([null, 7.019, 7.018, 7.011, 6.99, null].map(count)).toEqual([1, 1, 0, 0, 1, 1])
})
