import { expect, test } from 'vitest'
import { newReceipt } from '../../../../../../test/harness/record/receipt.js'
import type { ReceiptDraft } from '../../../record/index.js'
import { ProviderHealth } from './provider-health.js'

const startMs = Date.parse('2026-11-15T09:30:00.000Z')

function createClock() {
  const health = new ProviderHealth()
  let nowMs = startMs
  return {
    pass: (seconds: number) => {
      nowMs += seconds * 1_000
    },
    note(fields: Partial<ReceiptDraft>, times = 1) {
      const { draft } = newReceipt('tenant', { ts: new Date(nowMs).toISOString(), latencyMs: 0, ...fields })
      for (let i = 0; i < times; i++) health.note({ draft }, nowMs)
    },
    status: () => Object.fromEntries(health.read(nowMs).map(({ provider, status }) => [provider, status])),
    changes: () => health.changes(nowMs).map(({ provider, status }) => `${provider} ${status}`),
  }
}
const failed = { outcome: 'upstream_error', status: 503 } as const

test('a provider is failing while three calls, and half of all, failed in the last minute', () => {
  const clock = createClock()
  clock.note({})
  clock.note(failed, 2)
  expect(clock.status()).toEqual({ mock: 'up' })
  clock.note(failed)
  expect(clock.status()).toEqual({ mock: 'failing' })
  clock.note({}, 3)
  expect(clock.status()).toEqual({ mock: 'up' })
  clock.pass(30)
  clock.note(failed, 4)
  expect(clock.status()).toEqual({ mock: 'failing' })
  clock.pass(31)
  expect(clock.status()).toEqual({ mock: 'failing' })
  clock.pass(30)
  expect(clock.status()).toEqual({ mock: 'quiet' })
})

test('caller errors and calls that were not forwarded do not count against a provider', () => {
  const clock = createClock()
  clock.note({ outcome: 'blocked', status: 403 }, 5)
  clock.note({ outcome: 'aborted', status: 499 }, 5)
  expect(clock.status()).toEqual({})
  clock.note({ outcome: 'upstream_error', status: 400 }, 5)
  expect(clock.status()).toEqual({ mock: 'up' })
  clock.note({ ...failed, status: 429, provider: 'other' }, 3)
  expect(clock.status()).toEqual({ mock: 'up', other: 'failing' })
})

test('a change is reported once', () => {
  const clock = createClock()
  clock.note({})
  expect(clock.changes()).toEqual(['mock up'])
  expect(clock.changes()).toEqual([])
  clock.note(failed, 3)
  expect(clock.changes()).toEqual(['mock failing'])
  clock.pass(61)
  expect(clock.changes()).toEqual(['mock quiet'])
  expect(clock.changes()).toEqual([])
})

test('a call counts at its end, even if it took an hour', () => {
  const clock = createClock()
  clock.pass(3_600)
  clock.note({ ...failed, ts: new Date(startMs).toISOString(), latencyMs: 3_599_000 }, 3)
  expect(clock.status()).toEqual({ mock: 'failing' })
})
