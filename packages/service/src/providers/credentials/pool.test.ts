import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CredentialFault, type CredentialStatus, createCredentialPool } from './pool.js'

const minute = 60_000

function poolOf(weights: readonly number[], known?: readonly CredentialStatus[]) {
  const clock = { nowMs: 1_000_000 }
  const faults: CredentialFault[] = []
  const pool = createCredentialPool({
    provider: 'p',
    credentials: weights.map((weight, i) => ({ id: `c${i}`, name: `n${i}`, value: `secret-${i}`, weight })),
    ...(known && { known }),
    onFault: (fault) => faults.push(fault),
    now: () => clock.nowMs,
  })
  const pick = () => pool.pick()?.id
  const picked = (times: number) => Array.from({ length: times }, pick)
  return { pool, clock, faults, pick, picked }
}

describe('the choice', () => {
  test('is nobody where there is nobody', () => {
    expect(poolOf([]).pick()).toBeUndefined()
  })

  test('gives each its share of every round, whatever the weights, and is never far from it in between', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 3 }), (weights, rounds) => {
        const total = weights.reduce((a, b) => a + b)
        const { picked } = poolOf(weights)
        const chosen = picked(total * rounds)
        for (const [i, weight] of weights.entries()) {
          let count = 0
          let farthest = 0
          for (const [turn, id] of chosen.entries()) {
            if (id === `c${i}`) count++
            farthest = Math.max(farthest, Math.abs(count - ((turn + 1) * weight) / total))
          }
          expect(count).toBe(weight * rounds)
          expect(farthest).toBeLessThan(weights.length)
        }
      }),
    )
  })

  test('is smooth: one of weight two is not used twice in a row beside two of weight one', () => {
    expect(poolOf([2, 1, 1]).picked(4)).toEqual(['c0', 'c1', 'c2', 'c0'])
  })

  test('never falls on one that rests while another does not', () => {
    const event = fc.record({
      who: fc.nat({ max: 3 }),
      status: fc.constantFrom(200, 401, 403, 429, 500),
      retryAfterMs: fc.option(fc.integer({ min: 0, max: 10 * minute })),
      waitMs: fc.integer({ min: 0, max: 3 * minute }),
    })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const { pool, clock, pick } = poolOf([3, 1, 2, 1])
        for (const { who, status, retryAfterMs, waitMs } of events) {
          pool.report(`c${who}`, status, retryAfterMs, clock.nowMs)
          clock.nowMs += waitMs
          const active = pool.statuses().filter((each) => each.status === 'active')
          const id = pick()
          if (active.length > 0) expect(active.map((each) => each.id)).toContain(id)
          else {
            const soonest = Math.min(...pool.statuses().map((each) => each.restsUntilMs ?? 0))
            expect(pool.statuses().find((each) => each.id === id)?.restsUntilMs).toBe(soonest)
          }
        }
      }),
    )
  })
})

describe('a credential that is refused', () => {
  test.each([401, 403])('with %d rests, is reported once without its value, and is tried again', (status) => {
    const { pool, clock, faults, picked } = poolOf([1, 1])
    for (let i = 0; i < 3; i++) pool.report('c0', status, null, clock.nowMs)
    expect(faults).toEqual([
      { credentialId: 'c0', status, message: `p answered ${status}: it refuses this credential` },
    ])
    expect(new Set(picked(10))).toEqual(new Set(['c1']))
    expect(pool.statuses()[0]).toMatchObject({ status: 'resting', restsUntilMs: clock.nowMs + 5 * minute })
    clock.nowMs += 5 * minute
    expect(picked(2)).toContain('c0')
    pool.report('c0', status, null, clock.nowMs)
    expect(faults).toHaveLength(1)
  })

  test('and works again is reported anew when it is refused again', () => {
    const { pool, clock, faults } = poolOf([1, 1])
    pool.report('c0', 401, null, clock.nowMs)
    clock.nowMs += 1
    pool.report('c0', 200, null, clock.nowMs)
    expect(pool.statuses()[0]).toMatchObject({ status: 'active', restsUntilMs: null })
    pool.report('c0', 401, null, clock.nowMs)
    expect(faults).toHaveLength(2)
  })

  test('is not brought back by a call that went out before it was refused', () => {
    const { pool, clock, picked } = poolOf([1, 1])
    const askedAtMs = clock.nowMs
    clock.nowMs += 5
    pool.report('c0', 401, null, askedAtMs + 1)
    pool.report('c0', 200, null, askedAtMs)
    expect(new Set(picked(4))).toEqual(new Set(['c1']))
  })

  test('is used all the same where it is the only one', () => {
    const { pool, clock, pick } = poolOf([1])
    pool.report('c0', 401, null, clock.nowMs)
    expect(pool.statuses()[0]?.status).toBe('resting')
    expect(pick()).toBe('c0')
  })

  test('does not come back into use because its provider was changed, and is not reported again', () => {
    const before = poolOf([1, 1])
    before.pool.report('c0', 401, null, before.clock.nowMs)
    const after = poolOf([1, 1], before.pool.statuses())
    expect(new Set(after.picked(4))).toEqual(new Set(['c1']))
    after.pool.report('c0', 401, null, after.clock.nowMs)
    expect(after.faults).toEqual([])
  })
})

describe('a credential that is over its limit', () => {
  test.each([
    [7_000, 7_000],
    [null, 10_000],
    [60 * minute, 5 * minute],
  ])('and is told to wait %s ms rests for %s ms, which is no fault', (retryAfterMs, restMs) => {
    const { pool, clock, faults, picked } = poolOf([1, 1])
    pool.report('c0', 429, retryAfterMs, clock.nowMs)
    // A call that was under way before.
    pool.report('c0', 200, null, clock.nowMs)
    clock.nowMs += restMs - 1
    expect(new Set(picked(4))).toEqual(new Set(['c1']))
    clock.nowMs += 1
    expect(picked(2)).toContain('c0')
    expect(faults).toEqual([])
  })

  test('does not rest where it is the only one: what the limit lets through goes out', () => {
    const { pool, clock, pick } = poolOf([1])
    pool.report('c0', 429, 60_000, clock.nowMs)
    expect(pool.statuses()[0]).toMatchObject({ status: 'active', lastError: { status: 429 } })
    expect(pick()).toBe('c0')
  })

  test('and is refused while it rests is reported', () => {
    const { pool, clock, faults } = poolOf([1, 1])
    pool.report('c0', 429, 60_000, clock.nowMs)
    pool.report('c0', 401, null, clock.nowMs)
    expect(faults).toHaveLength(1)
  })
})

test.each([400, 404, 500, 503])('a %d says nothing of the credential', (status) => {
  const { pool, clock } = poolOf([1, 1])
  pool.report('c0', status, 60_000, clock.nowMs)
  expect(pool.statuses()[0]).toEqual({ id: 'c0', status: 'active', restsUntilMs: null, lastError: null })
})
