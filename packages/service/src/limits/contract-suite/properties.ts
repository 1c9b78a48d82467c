import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ActualUse, Admitted, Decision, Hold, RefusedByWindow, WindowClaim } from '../contract.js'
import { ask } from './ask.js'
import type { Bench } from './bench.js'
import { type Entry, ReferenceModel, settleEntries } from './reference-model.js'

interface Call {
  readonly kind: 'call'
  readonly waitTicks: number
  readonly claims: readonly WindowClaim[]
}

interface Settling {
  readonly kind: 'settling'
  readonly waitTicks: number
  /** Chooses one of the holds returned so far, including those that were settled before. */
  readonly pick: number
  readonly actual: ActualUse
}

type Step = Call | Settling

/** The ticks of the clock, and how much longer than the window a store may count with them. */
interface Fineness {
  readonly tickMs: number
  readonly slackMs: number
}

// Eighths of a millisecond add up exactly in floating point and are whole microseconds.
const finenesses: Record<string, Fineness> = {
  'whole milliseconds': { tickMs: 1, slackMs: 0 },
  'fractions of a millisecond': { tickMs: 0.125, slackMs: 1 },
}

const limited = [
  { id: 'key_a/rpm', unit: 'requests', windowMs: 3_000 },
  { id: 'key_a/tpm', unit: 'tokens', windowMs: 3_000 },
  { id: 'user_b/tpm', unit: 'tokens', windowMs: 1_700 },
] as const

// Most bugs occur when an entry is about to expire, so waits of about one window are frequent.
function arbitraryWaitTicks(tickMs: number): fc.Arbitrary<number> {
  const aroundWindow = fc
    .tuple(fc.constantFrom(1_000, 1_700, 3_000), fc.integer({ min: -9, max: 9 }))
    .map(([ms, offset]) => ms / tickMs + offset)
  return fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 1_500 / tickMs }),
    aroundWindow,
  )
}

// A tight limit makes refusals common; a wide one lets a window fill with many entries.
function arbitraryScript(tickMs: number): fc.Arbitrary<Step[]> {
  return fc.constantFrom(6, 60).chain((usualLimit) => arbitrarySteps(tickMs, usualLimit))
}

function arbitrarySteps(tickMs: number, usualLimit: number): fc.Arbitrary<Step[]> {
  const waitTicks = arbitraryWaitTicks(tickMs)
  const claim = fc
    .record({
      what: fc.constantFrom(...limited),
      limit: fc.oneof({ weight: 6, arbitrary: fc.constant(usualLimit) }, fc.integer({ min: 0, max: 12 })),
      amount: fc.integer({ min: 0, max: 7 }),
    })
    .map(({ what, limit, amount }): WindowClaim => ({ ...what, limit, amount }))
  const claims = fc.uniqueArray(claim, { minLength: 1, maxLength: 3, selector: ({ id }) => id })
  const call = fc.record({ kind: fc.constant('call' as const), waitTicks, claims })
  const settling = fc.record({
    kind: fc.constant('settling' as const),
    waitTicks,
    pick: fc.nat(),
    actual: fc.oneof(fc.record({ tokens: fc.integer({ min: 0, max: 12 }) }), fc.constant({})),
  })
  return fc.array(fc.oneof({ weight: 3, arbitrary: call }, { weight: 1, arbitrary: settling }), {
    maxLength: 60,
  })
}

export function declareProperties(bench: () => Bench, numRuns: number): void {
  it('decides as the plain model does, in a busy window', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySmallSteps, (steps) => followSmallSteps(steps, bench())),
      { numRuns: Math.ceil(numRuns / 20) },
    )
  })

  for (const [name, fineness] of Object.entries(finenesses)) {
    it(`decides as the plain model does, for arbitrary calls at ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryScript(fineness.tickMs), (script) => follow(script, bench(), fineness)),
        { numRuns },
      )
    })
  }
}

const arbitrarySmallSteps = fc.array(
  fc.record({ gapMs: fc.integer({ min: 0, max: 7 }), amount: fc.integer({ min: 0, max: 3 }) }),
  { minLength: 150, maxLength: 200 },
)

/** Keeps a window busy, so that a few entries expire in every step. */
async function followSmallSteps(
  steps: readonly { gapMs: number; amount: number }[],
  { store, clock, newTenant }: Bench,
): Promise<void> {
  const tenant = newTenant()
  clock.align()
  const model = new ReferenceModel(0)
  const bounds = { strict: model, lenient: model }
  for (const { gapMs, amount } of steps) {
    clock.advance(gapMs)
    const nowMs = clock.now()
    const claim: WindowClaim = { id: 'key_a/tpm', unit: 'tokens', limit: 40, amount, windowMs: 300 }
    const decision = await ask(store, tenant, [claim])
    expect(decision.admitted).toBe(model.fits(claim, nowMs))
    if (decision.admitted) model.record([claim], nowMs)
    expectCorrectLimitStatuses(decision, [claim], nowMs, bounds)
    const most = { ...claim, amount: 40 }
    const refusal = await ask(store, tenant, [most])
    if (refusal.admitted) model.record([most], nowMs)
    else expectCorrectRefusal(refusal, [most], nowMs, bounds)
  }
}

/** The store must count each entry for at least its window (strict) and at most its window plus the slack (lenient). */
export interface Bounds {
  readonly strict: ReferenceModel
  readonly lenient: ReferenceModel
}

interface GivenHold {
  readonly hold: Hold
  readonly entries: readonly Entry[]
  settled: boolean
}

async function follow(
  script: readonly Step[],
  { store, clock, newTenant }: Bench,
  fineness: Fineness,
): Promise<void> {
  const tenant = newTenant()
  clock.align()
  const bounds = { strict: new ReferenceModel(0), lenient: new ReferenceModel(fineness.slackMs) }
  const given: GivenHold[] = []
  let last: { claims: readonly WindowClaim[]; decision: Admitted | RefusedByWindow } | null = null

  for (const step of script) {
    clock.advance(step.waitTicks * fineness.tickMs)
    const nowMs = clock.now()
    if (step.kind === 'settling') {
      const chosen = given[step.pick % given.length]
      if (chosen === undefined) continue
      await store.settle(chosen.hold, step.actual)
      if (!chosen.settled) settleEntries(chosen.entries, step.actual, nowMs)
      chosen.settled = true
      last = null
    } else {
      const { claims } = step
      const decision = await ask(store, tenant, claims)
      if (decision.admitted) {
        for (const claim of claims) expect(bounds.strict.fits(claim, nowMs)).toBe(true)
        const entries = [...bounds.strict.record(claims, nowMs), ...bounds.lenient.record(claims, nowMs)]
        given.push({ hold: decision.hold, entries, settled: false })
      } else {
        expectCorrectRefusal(decision, claims, nowMs, bounds)
      }
      expectCorrectLimitStatuses(decision, claims, nowMs, bounds)
      last = { claims, decision }
    }
  }

  // Requests are never corrected here, so their windows can be summed afterwards.
  for (const { used, limit } of bounds.strict.windowsEndingInAdmissions('key_a/rpm')) {
    expect(used).toBeLessThanOrEqual(limit)
  }

  if (last === null || last.decision.admitted || last.decision.neverFits) return
  const { retryAfterSeconds } = last.decision
  clock.advance((retryAfterSeconds - 1) * 1000)
  expect((await ask(store, tenant, last.claims)).admitted).toBe(false)
  clock.advance(1000)
  expect((await ask(store, tenant, last.claims)).admitted).toBe(true)
}

export function expectCorrectRefusal(
  decision: RefusedByWindow,
  claims: readonly WindowClaim[],
  nowMs: number,
  bounds: Bounds,
): void {
  const waits = claims.map((claim) => bounds.lenient.waitMs(claim, nowMs))
  const longestMs = Math.max(...waits)
  expect(longestMs).toBeGreaterThan(0)
  expect(decision.neverFits).toBe(longestMs === Number.POSITIVE_INFINITY)
  expect(decision.neverFits).toBe(claims.some(({ amount, limit }) => amount > limit))
  if (decision.neverFits) {
    expect(decision.refusedBy.amount).toBeGreaterThan(decision.refusedBy.limit)
    expect(decision.retryAfterSeconds).toBe(Math.ceil(decision.refusedBy.windowMs / 1000))
    return
  }
  const shortestMs = Math.max(...claims.map((claim) => bounds.strict.waitMs(claim, nowMs)))
  expect(decision.retryAfterSeconds).toBeGreaterThanOrEqual(Math.max(1, Math.ceil(shortestMs / 1000)))
  expect(decision.retryAfterSeconds).toBeLessThanOrEqual(Math.ceil(longestMs / 1000))
  expect(bounds.lenient.waitMs(decision.refusedBy, nowMs)).toBeGreaterThanOrEqual(shortestMs)
}

export function expectCorrectLimitStatuses(
  decision: Decision,
  claims: readonly WindowClaim[],
  nowMs: number,
  bounds: Bounds,
): void {
  expect(decision.limitStatuses).toHaveLength(claims.length)
  for (const [index, claim] of claims.entries()) {
    const status = decision.limitStatuses[index]
    expect(status).toMatchObject({ unit: claim.unit, limit: claim.limit })
    expect(status?.remaining).toBeGreaterThanOrEqual(bounds.lenient.remaining(claim, nowMs))
    expect(status?.remaining).toBeLessThanOrEqual(bounds.strict.remaining(claim, nowMs))
    expect(status?.resetMs).toBeGreaterThanOrEqual(bounds.strict.resetMs(claim, nowMs))
    expect(status?.resetMs).toBeLessThanOrEqual(bounds.lenient.resetMs(claim, nowMs))
  }
}
