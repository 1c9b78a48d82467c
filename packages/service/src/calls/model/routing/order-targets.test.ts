import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Provider, Target } from '../../../providers/index.js'
import { orderTargets, type WeightedTarget } from './order-targets.js'
import { TargetHealth } from './target-health.js'

const unused: Provider['transport'] = {
  send: () => {
    throw new Error('nothing is sent')
  },
  retire: () => undefined,
  close: async () => undefined,
}

const targetOf = (name: string): Target => ({
  name,
  names: [name],
  mode: 'chat',
  source: 'config',
  model: name,
  provider: {
    id: `p-${name}`,
    name: `p-${name}`,
    auth: 'own',
    references: 'issued',
    credentialCount: 0,
    credentialRejectionStatuses: [401, 403],
    credentials: () => [],
    check: async () => ({ ok: true, latencyMs: 0, error: null }),
    dialects: ['chat'],
    pricesOf: 'p',
    hangUpGraceMs: 0,
    limits: { maxStreamBytes: 2 ** 29, maxAnswerBytes: 2 ** 27 },
    pickHeaders: () => ({}),
    transport: unused,
  },
  price: { rates: { input: 0, output: 0 } },
  properties: {
    tokenizer: 'bytes',
    contextWindow: null,
    maxOutputTokens: null,
    images: null,
    audioTokensPerSecond: null,
    toolPromptTokens: 0,
    vendorToolTokens: 0,
    usesPerCall: {},
  },
  maxOutputTokens: null,
  outputField: 'max_tokens',
  hostedToolTokens: {},
})

const weighted = (...weights: number[]): WeightedTarget[] =>
  weights.map((weight, i) => ({ target: targetOf(`m${i}`), weight }))

function bench(targets: readonly WeightedTarget[], random: () => number = Math.random) {
  let nowMs = 0
  const health = new TargetHealth(() => nowMs)
  return {
    health,
    pass: (ms: number) => {
      nowMs += ms
    },
    order: (strategy: 'priority' | 'weighted' | 'fastest', stickyKey: string | null = null) =>
      orderTargets(targets, strategy, stickyKey, { health, random }).map(({ name }) => name),
  }
}

const failure = { kind: '5xx' as const, retryAfterMs: null }

test('every strategy tries every target once, whatever rests', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 20 }),
      fc.constantFrom('priority' as const, 'weighted' as const, 'fastest' as const),
      fc.option(fc.string(), { nil: null }),
      fc.array(fc.nat(19), { maxLength: 30 }),
      (weights, strategy, stickyKey, failing) => {
        const targets = weighted(...weights)
        const { health, order } = bench(targets)
        for (const index of failing) {
          const one = targets[index % targets.length]
          if (one) health.recordFailure(one.target, failure)
        }
        expect(new Set(order(strategy, stickyKey))).toEqual(new Set(targets.map(({ target }) => target.name)))
      },
    ),
  )
})

test('by priority, the list is the order', () => {
  expect(bench(weighted(1, 5, 9)).order('priority')).toEqual(['m0', 'm1', 'm2'])
})

test('by weight, a target comes first in proportion to its weight', () => {
  // A sequence that is always the same: what is counted does not depend on luck.
  let state = 1
  const drawn = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const { order } = bench(weighted(1, 3), drawn)
  const firsts = Array.from({ length: 10_000 }, () => order('weighted')[0])
  const share = firsts.filter((name) => name === 'm1').length / firsts.length
  expect(share).toBeGreaterThan(0.7)
  expect(share).toBeLessThan(0.8)
})

test('calls that share something share their target, also after another target was added', () => {
  const two = weighted(1, 1)
  const sessions = Array.from({ length: 300 }, (_, i) => `session ${i}`)
  const before = sessions.map((session) => bench(two).order('weighted', session)[0])
  const again = sessions.map((session) => bench(two).order('fastest', session)[0])
  expect(again).toEqual(before)
  expect(new Set(before).size).toBe(2)
  const three = [...two, { target: targetOf('m2'), weight: 1 }]
  const after = sessions.map((session) => bench(three).order('weighted', session)[0])
  for (const [i, name] of after.entries()) if (name !== 'm2') expect(name).toBe(before[i])
  expect(after.filter((name) => name === 'm2').length).toBeGreaterThan(50)
})

test('the fastest comes first; one that nobody measured before it; now and then another one', () => {
  const targets = weighted(1, 1, 1)
  let chance = 0.5
  const { health, order } = bench(targets, () => chance)
  const [a, b, c] = targets.map(({ target }) => target)
  if (!a || !b || !c) throw new Error('there are three')
  health.recordAnswer(a, 300)
  health.recordAnswer(b, 100)
  expect(order('fastest')).toEqual(['m2', 'm1', 'm0'])
  health.recordAnswer(c, 200)
  expect(order('fastest')).toEqual(['m1', 'm2', 'm0'])
  chance = 0.01
  expect(order('fastest')[0]).not.toBe('m1')
})

test('who fails three times in a row rests, each time twice as long; who rests comes last, the first to be back before the others', () => {
  const targets = weighted(1, 1)
  const { health, order, pass } = bench(targets)
  const [first, second] = targets.map(({ target }) => target)
  if (!first || !second) throw new Error('there are two')
  health.recordFailure(first, failure)
  health.recordFailure(first, failure)
  expect(order('priority')).toEqual(['m0', 'm1'])
  health.recordFailure(first, failure)
  expect(order('priority')).toEqual(['m1', 'm0'])
  expect(health.of(first).lastFailure?.kind).toBe('5xx')
  // It says itself when it will be back, and that is believed.
  health.recordFailure(second, { kind: '429', retryAfterMs: 60_000 })
  expect(order('priority')).toEqual(['m0', 'm1'])
  pass(5_000)
  expect(health.of(first).cooldownUntilMs).toBeNull()
  health.recordFailure(first, failure)
  expect(health.of(first).cooldownUntilMs).toBe(15_000)
  pass(10_000)
  health.recordAnswer(first, 10)
  health.recordFailure(first, failure)
  expect(health.of(first).cooldownUntilMs).toBeNull()
  // Never for longer than five minutes, whatever it says.
  health.recordFailure(first, { kind: '429', retryAfterMs: 1e12 })
  expect(health.of(first).cooldownUntilMs).toBe(315_000)
})

test('who fails again and again rests, also where it says that it may be asked again at once', () => {
  const [only] = weighted(1).map(({ target }) => target)
  if (!only) throw new Error('there is one')
  const { health, pass } = bench([])
  const again = { kind: '5xx' as const, retryAfterMs: 0 }
  health.recordFailure(only, again)
  health.recordFailure(only, again)
  expect(health.of(only).cooldownUntilMs).toBeNull()
  health.recordFailure(only, again)
  expect(health.of(only).cooldownUntilMs).toBe(5_000)
  pass(5_000)
  health.recordFailure(only, again)
  expect(health.of(only).cooldownUntilMs).toBe(15_000)
})
