import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Target } from '../../../providers/index.js'
import { RetryPlan } from './retry-plan.js'
import type { FailureKind } from './retry-rules.js'

const kinds: FailureKind[] = ['connect', 'timeout', '429', '5xx', 'credential']

// Only told apart, never looked into.
const targetsOf = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `m${i}` }) as Target)

function begin(
  count: number,
  rules: { maxRetries: number; on: FailureKind[] },
  timeoutMs: number | null = null,
  chance = 1,
) {
  const [first, ...others] = targetsOf(count)
  if (!first) throw new Error('a plan has a target')
  const clock = { ms: 0 }
  const options = { targets: [first, ...others] as const, rules, timeoutMs }
  return {
    clock,
    plan: new RetryPlan(
      options,
      () => clock.ms,
      () => chance,
    ),
  }
}

test('goes through the targets in turn, at once, and pauses before it comes back to one', () => {
  const { plan } = begin(2, { maxRetries: 4, on: kinds })
  const failure = { kind: '5xx' as const, retryAfterMs: null }
  expect(plan.current.name).toBe('m0')
  const steps = Array.from({ length: 5 }, () => plan.next(failure))
  expect(steps.map((step) => step && [step.target.name, step.delayMs])).toEqual([
    ['m1', 0],
    ['m0', 200],
    ['m1', 200],
    ['m0', 400],
    null,
  ])
})

test('does what a provider says, if that is not too long; else the others are tried', () => {
  const one = begin(1, { maxRetries: 2, on: kinds })
  expect(one.plan.next({ kind: '429', retryAfterMs: 3_000 })?.delayMs).toBe(3_000)
  expect(one.plan.next({ kind: '429', retryAfterMs: 3_600_000 })).toBeNull()
  const two = begin(2, { maxRetries: 3, on: kinds })
  expect(two.plan.next({ kind: '429', retryAfterMs: 3_600_000 })?.target.name).toBe('m1')
  const after = two.plan.next({ kind: '5xx', retryAfterMs: null })
  expect(after).toEqual({ target: two.plan.current, delayMs: 200 })
  expect(after?.target.name).toBe('m1')
})

test('one that may be asked again at once is not asked without a pause', () => {
  const { plan } = begin(1, { maxRetries: 2, on: kinds })
  const delays = [0, 0].map((retryAfterMs) => plan.next({ kind: '5xx', retryAfterMs })?.delayMs)
  expect(delays).toEqual([200, 400])
})

test('another credential is tried at once', () => {
  const { plan } = begin(1, { maxRetries: 1, on: ['credential'] })
  expect(plan.next({ kind: 'credential', retryAfterMs: null })?.delayMs).toBe(0)
})

test('whatever fails: no more retries than its rules allow, only after failures that they name, none past the deadline', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 0, max: 5 }),
      fc.subarray(kinds),
      fc.option(fc.integer({ min: 100, max: 60_000 }), { nil: null }),
      fc.array(
        fc.record({
          kind: fc.constantFrom(...kinds),
          retryAfterMs: fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: null }),
          tookMs: fc.nat(5_000),
        }),
        { minLength: 10, maxLength: 10 },
      ),
      (count, maxRetries, on, timeoutMs, failures) => {
        const { plan, clock } = begin(count, { maxRetries, on }, timeoutMs, 0.5)
        let made = 1
        for (const { tookMs, ...failure } of failures) {
          const attemptMs = plan.attemptTimeoutMs()
          if (timeoutMs !== null)
            expect(clock.ms + (attemptMs ?? Number.NaN)).toBeLessThanOrEqual(
              Math.max(timeoutMs, clock.ms + 1),
            )
          clock.ms += tookMs
          const mayRetry = plan.mayRetry
          const next = plan.next(failure)
          if (next === null) break
          expect(mayRetry).toBe(true)
          expect(on).toContain(failure.kind)
          clock.ms += next.delayMs
          if (timeoutMs !== null) expect(clock.ms).toBeLessThan(timeoutMs)
          made++
        }
        expect(made).toBeLessThanOrEqual(maxRetries + 1)
      },
    ),
  )
})
