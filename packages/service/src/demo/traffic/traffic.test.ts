import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
import { seed as chosenSeed } from '../../../../../test/harness/run/seed.js'
import { isSessionId, isTagName, isTagValue } from '../../shared/tags.js'
import { type DemoBudget, type DemoCall, generateTraffic, type Traffic, toReceipts } from '../index.js'

const end = new Date('2026-11-16T15:00:00.000Z')
const week = generateTraffic({ seed: 1, end, days: 7, calls: 6_000 })
const minute = 60_000

const sumOf = (calls: readonly DemoCall[]) => calls.reduce((sum, { costNanos }) => sum + costNanos, 0)
const ofModels = ({ calls }: Traffic) => calls.filter(({ tool }) => tool === null)
const between = (fromMs: number, toMs: number) =>
  week.calls.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)

test('the same seed gives the same traffic, and another seed another', () => {
  const make = (seed: number) => generateTraffic({ seed, end, days: 2, calls: 300 })
  expect(make(7)).toEqual(make(7))
  expect(make(8).calls).not.toEqual(make(7).calls)
})

test('there are as many calls as asked for, in order, within the span', () => {
  expect(ofModels(week)).toHaveLength(6_000)
  const times = week.calls.map(({ atMs }) => atMs)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times[0]).toBeGreaterThanOrEqual(week.span.fromMs)
  expect(times.at(-1)).toBeLessThan(end.getTime())
})

test('50 people in 8 teams call 6 models of 3 providers', () => {
  expect(week.people).toHaveLength(50)
  expect(new Set(week.calls.flatMap(({ userId }) => userId ?? [])).size).toBe(50)
  expect(new Set(week.calls.map(({ team }) => team)).size).toBe(8)
  expect(new Set(ofModels(week).map(({ model }) => model)).size).toBe(6)
  expect(new Set(ofModels(week).map(({ provider }) => provider)).size).toBe(3)
})

test('agents call tools in the sessions of their calls of models, and all that can become of that has', () => {
  const ofTools = week.calls.filter(({ tool }) => tool !== null)
  expect(ofTools).toHaveLength(720)
  const sessions = new Set(week.calls.flatMap(({ session, tool }) => (tool === null ? [session] : [])))
  expect(ofTools.every(({ session }) => session !== null && sessions.has(session))).toBe(true)
  expect(new Set(ofTools.map(({ tool }) => tool?.server))).toEqual(new Set(['tickets', 'warehouse', 'docs']))
  expect(new Set(ofTools.map(({ outcome }) => outcome))).toEqual(
    new Set(['ok', 'redacted', 'blocked', 'upstream_error', 'aborted']),
  )
  expect(ofTools.some(({ tool, outcome }) => tool?.isError && outcome === 'ok')).toBe(true)
  expect(ofTools.some(({ tool }) => tool?.rpcCode)).toBe(true)
  expect(ofTools.some(({ tool }) => tool?.isForbidden)).toBe(true)
  expect(sumOf(ofTools)).toBeGreaterThan(0)
})

test('everything that can become of a call has become of one', () => {
  expect(new Set(week.calls.map(({ outcome }) => outcome))).toEqual(
    new Set(['ok', 'redacted', 'blocked', 'upstream_error', 'aborted', 'interrupted']),
  )
  expect(new Set(week.calls.flatMap(({ findings }) => findings))).toEqual(
    new Set(week.policies.map(({ name }) => name)),
  )
  expect(week.rateLimited.length).toBeGreaterThan(0)
  expect(week.calls.some(({ counts }) => (counts.cached ?? 0) > 0)).toBe(true)
  expect(week.calls.some(({ tier }) => tier !== null)).toBe(true)
})

test('services that ask for a route are answered by another target, or again', () => {
  const routed = week.calls.filter(({ route }) => route !== null)
  expect(new Set(routed.map(({ route }) => route)).size).toBe(3)
  const further = routed.filter(({ attempt }) => attempt === 2)
  expect(further.length).toBeGreaterThan(3)
  for (const { first, provider, atMs, route, session } of further) {
    expect(first).toMatchObject({ outcome: 'upstream_error', attempt: 1, route, session })
    expect(first?.provider).not.toBe(provider)
    expect(atMs).toBeGreaterThan((first?.atMs ?? 0) + (first?.latencyMs ?? 0))
  }
  const kept = routed.filter(({ isCached }) => isCached)
  expect(kept.length).toBeGreaterThan(10)
  expect(sumOf(kept)).toBe(0)
  expect(new Set(week.calls.map(({ agent }) => agent))).toEqual(new Set([null, 'claude-code', 'codex']))
})

test('people work by day and on weekdays, where they live', () => {
  const ofPeople = week.calls.filter(({ userId }) => userId !== null)
  const isWeekend = ({ atMs }: DemoCall) => [0, 6].includes(new Date(atMs).getUTCDay())
  expect(ofPeople.filter(isWeekend).length).toBeLessThan(ofPeople.length / 10)
  const clocks = new Map(
    week.people.map(({ userId, timeZone }) => [
      userId,
      new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }),
    ]),
  )
  const local = ({ userId, atMs }: DemoCall) => Number(clocks.get(userId ?? '')?.format(atMs))
  const atNight = ofPeople.filter((call) => local(call) < 6)
  expect(atNight.length).toBeLessThan(ofPeople.length / 20)
})

describe('the incident', () => {
  const { incident } = week
  if (!incident) throw new Error('the week has no incident')
  const { fromMs, toMs, provider } = incident
  // What the cache answers, nobody was asked for.
  const isOurs = (call: DemoCall) => call.provider === provider && !call.isCached
  const failed = (calls: readonly DemoCall[]) =>
    calls.filter(({ outcome }) => outcome === 'upstream_error').length

  test('lasts 40 minutes, in which the provider mostly fails, and no other does', () => {
    expect(toMs - fromMs).toBe(40 * minute)
    const during = between(fromMs, toMs)
    const ours = during.filter(isOurs)
    expect(failed(ours)).toBeGreaterThan(ours.length / 2)
    const rest = week.calls.filter((call) => !(isOurs(call) && call.atMs >= fromMs && call.atMs < toMs))
    expect(failed(rest)).toBeLessThan(rest.length / 50)
  })

  test('announces itself by slower first tokens, and moves people to another provider', () => {
    const usualMs = ({ model, counts }: DemoCall) =>
      (Object.values(week.models).find(({ name }) => name === model)?.firstTokenMs ?? 1) +
      (counts.input ?? 0) / 60
    /** The median, by what is usual of the model. */
    const firstTokens = (calls: readonly DemoCall[]) => {
      const times = calls
        .filter(isOurs)
        .flatMap((call) => (call.firstTokenMs === null ? [] : [call.firstTokenMs / usualMs(call)]))
        .sort((a, b) => a - b)
      return times[times.length >> 1] ?? 0
    }
    expect(firstTokens(between(fromMs - 20 * minute, fromMs))).toBeGreaterThan(
      1.8 * firstTokens(between(fromMs - 1_440 * minute, fromMs - 60 * minute)),
    )
    const shareOf = (calls: readonly DemoCall[]) => calls.filter(isOurs).length / calls.length
    expect(shareOf(between(toMs, toMs + 45 * minute))).toBeLessThan(
      0.7 * shareOf(between(fromMs - 240 * minute, fromMs)),
    )
  })
})

test('the runaway spends its budget for the day, all but a cent, and is refused from then on', () => {
  const { runaway } = week
  if (!runaway) throw new Error('the week has no runaway')
  const calls = week.calls.filter(({ session }) => session === runaway.session)
  const refused = calls.filter(({ isOverBudget }) => isOverBudget)
  expect(refused.length).toBeGreaterThan(5)
  expect(calls.slice(-refused.length)).toEqual(refused)
  expect(refused.every(({ status, costNanos }) => status === 402 && costNanos === 0)).toBe(true)
  const left = runaway.amountNanos - sumOf(calls)
  expect(left).toBeGreaterThanOrEqual(0)
  expect(left).toBeLessThan(10_000_000)
})

test('no hard budget and no pool of a team was ever passed, whatever the seed and size', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.integer({ min: 100, max: 1_500 }),
      fc.integer({ min: 1, max: 40 }),
      fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }),
      (seed, calls, days, someEnd) => {
        const traffic = generateTraffic({ seed, end: someEnd, days, calls })
        expect(ofModels(traffic)).toHaveLength(calls)
        for (const budget of traffic.budgets) if (budget.action === 'block') expectWithin(traffic, budget)
        for (const { name, budgetPoolUsd } of traffic.teams)
          expectWithin(traffic, {
            scope: { type: 'team', of: name },
            amountUsd: budgetPoolUsd,
            period: 'monthly',
          })
      },
    ),
    { numRuns: propertyRuns / 20, seed: chosenSeed },
  )
})

function expectWithin(traffic: Traffic, budget: Pick<DemoBudget, 'scope' | 'amountUsd' | 'period'>): void {
  const { scope, period, amountUsd } = budget
  const isCounted = (call: DemoCall) => {
    if (scope.type === 'tenant') return true
    if (scope.type === 'tag') return `project=${call.tags.project}` === scope.of
    return (scope.type === 'team' ? call.team : call.key) === scope.of
  }
  const periods = new Map<string, DemoCall[]>()
  for (const call of traffic.calls.filter(isCounted)) {
    const name = new Date(call.atMs).toISOString().slice(0, period === 'daily' ? 10 : 7)
    periods.set(name, [...(periods.get(name) ?? []), call])
  }
  for (const calls of periods.values()) expect(sumOf(calls) / 1e9).toBeLessThanOrEqual(amountUsd)
}

test('receipts come one at a time, each with an id of its own, and tags and sessions that a call may have', () => {
  const ids = {
    tenantId: 'tenant_1',
    keyId: (name: string) => `key of ${name}`,
    teamId: (name: string) => `team of ${name}`,
    policyReference: (name: string) => `${name}@1`,
    packs: ['soc2@1'],
    budgetId: (name: string) => `bud_${name}`,
    policies: 'hash',
  }
  const receipts = [...toReceipts(week, ids)]
  expect(new Set(receipts.map(({ draft }) => draft.id)).size).toBe(week.calls.length)
  const further = receipts.filter(({ draft }) => draft.attempt !== undefined)
  expect(further).toHaveLength(week.calls.filter(({ first }) => first !== null).length)
  for (const { draft } of further) {
    expect(draft.id).toBe(`${draft.call}.2`)
    expect(receipts.some((each) => each.draft.id === draft.call)).toBe(true)
  }
  for (const { draft } of receipts) {
    expect(
      Object.entries(draft.tags ?? {}).every(([name, value]) => isTagName(name) && isTagValue(value)),
    ).toBe(true)
    expect(draft.session === undefined || isSessionId(draft.session)).toBe(true)
  }
  const [first] = toReceipts(week, { ...ids, tenantId: 'tenant_2' })
  expect(first?.draft.id).not.toBe(receipts[0]?.draft.id)
})
