import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExportVerifier } from '../../../packages/record/src/verify/export-verifier.js'
import { CostCheck } from '../../../packages/record/src/verify/files/check-costs.js'
import type { DemoCall } from '../../../packages/service/src/demo/index.js'
import { propertyRuns } from '../../harness/run/property-runs.js'
import { seed } from '../../harness/run/seed.js'
import type { ApiAnswer } from '../../harness/service/api.js'
import { addDemoTenant, type DemoTenant } from '../../harness/service/demo.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

// Two weeks of made-up traffic, and what people ask of such a thing. Every answer is known from the plain list of calls.

let service: TestService
let demo: DemoTenant
let calls: readonly DemoCall[]
/** The last seven days, and the seven before them. */
let week: { from: string; to: string; beforeFrom: string }

beforeAll(async () => {
  service = await startTestService()
  demo = await addDemoTenant(service, 'demo', { seed: 3, days: 14, calls: 3_000 })
  calls = demo.traffic.calls
  const { toMs } = demo.traffic.span
  const day = 86_400_000
  week = { from: iso(toMs - 7 * day), to: iso(toMs), beforeFrom: iso(toMs - 14 * day) }
})
afterAll(() => service.stop())

const iso = (ms: number) => new Date(ms).toISOString()
const nanosOf = (some: readonly DemoCall[]) => some.reduce((sum, { costNanos }) => sum + costNanos, 0)
const usdOf = (some: readonly DemoCall[]) => nanosOf(some) / 1e9
const inSpan =
  (from: string, to: string) =>
  ({ atMs }: DemoCall) =>
    atMs >= Date.parse(from) && atMs < Date.parse(to)
const lastWeek = () => calls.filter(inSpan(week.from, week.to))

function groupOf<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

async function ask(path: string, query: Record<string, string>): Promise<ApiAnswer['body']> {
  const answer = await demo.api.get(`${path}?${new URLSearchParams(query)}`)
  expect(answer.body?.error).toBeUndefined()
  expect(answer.status).toBe(200)
  return answer.body
}
const usage = (query: Record<string, string>) => ask('/v1/usage', query)

interface FoundCall {
  requestId: string
  ts: string
  costUsd: number
  status: number
  firstTokenMs: number | null
  [name: string]: unknown
}

/** All pages, oldest first, as the list is. */
async function search(query: Record<string, string>): Promise<FoundCall[]> {
  const found: FoundCall[] = []
  let cursor: string | null = null
  do {
    const page: { data: FoundCall[]; nextCursor: string | null } = await ask('/v1/calls', {
      limit: '200',
      ...query,
      ...(cursor !== null && { cursor }),
    })
    found.push(...page.data)
    cursor = page.nextCursor
  } while (cursor !== null)
  return found.reverse()
}

/** What tells calls apart that the list does not name: no two have the same. */
const traitsOf = (call: DemoCall) => `${iso(call.atMs)} ${call.costNanos} ${call.status}`
const traitsFound = (call: FoundCall) => `${call.ts} ${Math.round(call.costUsd * 1e9)} ${call.status}`

const idsByName = async (path: string) => {
  const list: { id: string; name: string }[] = []
  for (let cursor: string | null = null; ; ) {
    const body = await ask(path, { limit: '200', ...(cursor !== null && { cursor }) })
    list.push(...body.data)
    cursor = body.nextCursor
    if (cursor === null) return new Map(list.map(({ id, name }) => [name, id]))
  }
}
async function teamIds(): Promise<Map<string, string>> {
  const { body } = await demo.api.get('/v1/team/teams')
  return new Map(body.map(({ id, name }: { id: string; name: string }) => [name, id]))
}

describe('finance asks', () => {
  test('what team Platform spent on claude-sonnet-5-5 last week', async () => {
    const teamId = (await teamIds()).get('Platform') ?? ''
    const asked = { ...spanOf(), teamId, model: 'claude-sonnet-5-5' }
    const expected = lastWeek().filter(
      ({ team, model }) => team === 'Platform' && model === 'claude-sonnet-5-5',
    )
    expect(expected.length).toBeGreaterThan(20)
    const { totals } = await usage(asked)
    expect(totals).toMatchObject({ requests: expected.length, spendUsd: usdOf(expected) })
  })

  test('what each team spent on each model, with the names of the teams', async () => {
    const { groups, totals, rest } = await usage({ ...spanOf(), groupBy: 'team,model' })
    const expected = groupOf(lastWeek(), ({ team, model }) => `${team} ${model}`)
    const found = groups.map(
      (group: { name: string; second: { key: string }; spendUsd: number; requests: number }) => [
        `${group.name} ${group.second.key}`,
        group.requests,
        group.spendUsd,
      ],
    )
    expect(new Set(found.map(String))).toEqual(
      new Set([...expected].map(([name, some]) => String([name, some.length, usdOf(some)]))),
    )
    expect(rest).toBeNull()
    expect(totals.spendUsd).toBe(usdOf(lastWeek()))
  })

  test('who the five are that spent the most', async () => {
    const { groups } = await usage({ ...spanOf(), groupBy: 'user' })
    const people = groups.filter(({ key }: { key: string | null }) => key !== null).slice(0, 5)
    const expected = [
      ...groupOf(
        lastWeek().filter(({ userId }) => userId !== null),
        ({ userId }) => userId ?? '',
      ),
    ]
      .map(([userId, some]) => ({ userId, spendUsd: usdOf(some) }))
      .sort((a, b) => b.spendUsd - a.spendUsd)
      .slice(0, 5)
    const nameOf = (userId: string) => demo.traffic.people.find((person) => person.userId === userId)?.name
    expect(people).toMatchObject(
      expected.map(({ userId, spendUsd }) => ({ key: userId, name: nameOf(userId), spendUsd })),
    )
  })

  test('what each project cost on each day, as the calendar in Berlin has it, in a table', async () => {
    const csv: string = await usage({
      from: iso(demo.traffic.span.fromMs),
      to: week.to,
      interval: 'day',
      timeZone: 'Europe/Berlin',
      groupBy: 'tag.project',
      format: 'csv',
    })
    const [header = [], ...lines] = csv
      .trim()
      .split('\r\n')
      .map((line) => line.replace('\uFEFF', '').split(','))
    const column = (name: string) => header.indexOf(name)
    const project = header.findIndex((each) => each.includes('project'))
    const inBerlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short' })
    const expected = groupOf(calls, ({ atMs, tags }) => `${inBerlin.format(atMs)} ${tags.project}`)
    const found = lines.flatMap((cells) => {
      const spend = Number(cells[column('spend_usd')])
      return spend === 0 ? [] : [`${cells[0]?.slice(0, 10)} ${cells[project]} ${spend}`]
    })
    const wanted = [...expected].flatMap(([name, some]) =>
      nanosOf(some) === 0 ? [] : [`${name} ${usdOf(some)}`],
    )
    expect(found.sort()).toEqual(wanted.sort())
  })

  test('how that compares with the week before', async () => {
    const { previous, totals } = await usage({ ...spanOf(), compare: 'previous' })
    const before = calls.filter(inSpan(week.beforeFrom, week.from))
    expect(previous).toMatchObject({
      from: week.beforeFrom,
      to: week.from,
      totals: { requests: before.length, spendUsd: usdOf(before) },
    })
    expect(previous.change.requests).toBe(totals.requests - before.length)
  })

  test('how much of each budget is spent', async () => {
    const { data } = await ask('/v1/budgets', { limit: '200' })
    const spentUsd = (name: string) => data.find((budget: { name: string }) => budget.name === name)?.spentUsd
    const month = iso(demo.traffic.span.toMs).slice(0, 7)
    const thisMonth = calls.filter(({ atMs }) => iso(atMs).startsWith(month))
    expect(spentUsd('The whole company, monthly')).toBe(usdOf(thisMonth))
    expect(spentUsd('Platform, monthly')).toBe(usdOf(thisMonth.filter(({ team }) => team === 'Platform')))
    expect(spentUsd('Project heron, monthly')).toBe(
      usdOf(thisMonth.filter(({ tags }) => tags.project === 'heron')),
    )
  })
})

describe('and what is to be expected', () => {
  test('by the end of the month: what is spent, and for each day that is left no less than the least and no more than the most of a day', async () => {
    const daysUntil = (end: string) => (Date.parse(end) - Date.now()) / 86_400_000
    const { data } = await ask('/v1/budgets', { limit: '200' })
    const budget = data.find(({ name }: { name: string }) => name === 'The whole company, monthly')
    const today = new Date().toISOString().slice(0, 10)
    const days = [...groupOf(calls, ({ atMs }) => iso(atMs).slice(0, 10))].filter(([day]) => day < today)
    const perDay = days.map(([, some]) => usdOf(some))
    // The second that the test took is worth less than a hundredth of a day.
    const left = daysUntil(budget.periodEnd)
    const expected = budget.forecastUsd - budget.spentUsd
    expect(expected).toBeGreaterThanOrEqual((left - 0.01) * Math.min(...perDay))
    expect(expected).toBeLessThanOrEqual((left + 0.01) * Math.max(...perDay))
  })
})

describe('an operator asks', () => {
  test('in which hour a provider failed', async () => {
    const { incident } = demo.traffic
    if (!incident) throw new Error('there is no incident to find')
    const { series } = await usage({ ...spanOf(), interval: 'hour', outcome: 'upstream_error' })
    const worst = series.reduce((a: { requests: number }, b: { requests: number }) =>
      b.requests > a.requests ? b : a,
    )
    expect(worst.ts).toBe(`${iso(incident.fromMs).slice(0, 13)}:00:00.000Z`)
    const failed = await search({
      from: iso(incident.fromMs),
      to: iso(incident.toMs),
      outcome: 'upstream_error',
    })
    expect(failed.length).toBeGreaterThan(0)
    expect(failed.filter(({ provider }) => provider === incident.provider).length).toBe(
      calls.filter(
        (call) =>
          call.outcome === 'upstream_error' &&
          call.provider === incident.provider &&
          inSpan(iso(incident.fromMs), iso(incident.toMs))(call),
      ).length,
    )
  })

  test('how long the slowest twentieth waited for its first token', async () => {
    const p95 = (times: readonly number[]) =>
      times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]
    const found = await search({ ...spanOf(), provider: 'anthropic' })
    const expected = lastWeek().filter(({ provider }) => provider === 'anthropic')
    expect(found).toHaveLength(expected.length)
    expect(p95(found.flatMap(({ firstTokenMs }) => firstTokenMs ?? []))).toBe(
      p95(expected.flatMap(({ firstTokenMs }) => firstTokenMs ?? [])),
    )
  })

  test('what a runaway agent did, and what stopped it', async () => {
    const { runaway } = demo.traffic
    if (!runaway) throw new Error('there is no runaway to find')
    const found = await search({ session: runaway.session })
    const expected = calls.filter(({ session }) => session === runaway.session)
    expect(found.map(traitsFound)).toEqual(expected.map(traitsOf))
    const { checks } = await ask(`/v1/calls/${found.at(-1)?.requestId}`, {})
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'budget', result: 'fail', action: 'block' }),
    )
    const { totals } = await usage({ from: week.beforeFrom, session: runaway.session })
    expect(totals.blocked).toBe(expected.filter(({ isOverBudget }) => isOverBudget).length)
  })

  test('how many calls rate limits refused', async () => {
    const { totals } = await usage({ from: iso(demo.traffic.span.fromMs - 86_400_000) })
    expect(totals.rateLimited).toBe(demo.traffic.rateLimited.reduce((sum, refused) => sum + refused.calls, 0))
    expect(totals.requests).toBe(calls.length)
  })

  test('about any mixture of filters, and gets the calls that match, each once', async () => {
    const keys = await idsByName('/v1/keys')
    const teams = await teamIds()
    const policies = await idsByName('/v1/policies')
    type Filter = [query: Record<string, string>, matches: (call: DemoCall) => boolean]
    const filtersOf = (call: DemoCall): Filter[] => {
      const [policy] = call.findings
      return [
        [{ keyId: keys.get(call.key) ?? '' }, ({ key }) => key === call.key],
        [{ teamId: teams.get(call.team) ?? '' }, ({ team }) => team === call.team],
        [{ provider: call.provider }, ({ provider }) => provider === call.provider],
        [{ model: call.model }, ({ model }) => model === call.model],
        [{ outcome: call.outcome }, ({ outcome }) => outcome === call.outcome],
        [{ 'tag.project': call.tags.project ?? '' }, ({ tags }) => tags.project === call.tags.project],
        [{ 'tag.env': call.tags.env ?? '' }, ({ tags }) => tags.env === call.tags.env],
        [{ minCostUsd: (call.costNanos / 1e9).toFixed(9) }, ({ costNanos }) => costNanos >= call.costNanos],
        [{ from: iso(call.atMs) }, ({ atMs }) => atMs >= call.atMs],
        ...(call.userId === null
          ? []
          : [[{ userId: call.userId }, ({ userId }) => userId === call.userId] as Filter]),
        ...(policy === undefined
          ? []
          : [
              [
                { policyId: policies.get(policy) ?? '' },
                ({ findings }) => findings.includes(policy),
              ] as Filter,
            ]),
      ]
    }
    await fc.assert(
      fc.asyncProperty(
        fc.nat(calls.length - 1),
        fc.array(fc.nat(10), { minLength: 1, maxLength: 4 }),
        async (index, chosen) => {
          const call = calls[index]
          if (!call) return
          const filters = filtersOf(call).filter((_, i) => chosen.includes(i))
          const found = await search(Object.assign({}, ...filters.map(([query]) => query)))
          const expected = calls.filter((each) => filters.every(([, matches]) => matches(each)))
          expect(found.map(traitsFound).sort()).toEqual(expected.map(traitsOf).sort())
        },
      ),
      { numRuns: propertyRuns / 10, seed },
    )
  })
})

describe('security asks', () => {
  test('which calls a policy blocked', async () => {
    const policyId = (await idsByName('/v1/policies')).get('No credentials') ?? ''
    const found = await search({ policyId })
    const expected = calls.filter(({ findings }) => findings.includes('No credentials'))
    expect(expected.length).toBeGreaterThan(0)
    expect(found.map(traitsFound)).toEqual(expected.map(traitsOf))
    expect(found.every(({ outcome, costUsd }) => outcome === 'blocked' && costUsd === 0)).toBe(true)
  })
})

describe('an auditor asks', () => {
  test('for an attestation of all of it', async () => {
    const { totals } = await ask('/v1/compliance/attestation', { days: '30' })
    const count = (...outcomes: DemoCall['outcome'][]) =>
      calls.filter(({ outcome }) => outcomes.includes(outcome)).length
    expect(totals).toMatchObject({
      modelReceipts: calls.filter(({ tool }) => tool === null).length,
      toolReceipts: calls.filter(({ tool }) => tool !== null).length,
      chainVerified: true,
      signaturesVerified: true,
      enforcementActions: count('blocked', 'redacted'),
      upstreamFailures: count('upstream_error'),
    })
  })

  test('for the record, whose first entry says that it is made up, and computes every cost again', async () => {
    const text: string = await ask('/v1/compliance/export', {})
    const costs = new CostCheck()
    const events: unknown[] = []
    const verifier = new ExportVerifier({
      onEntry(entry) {
        costs.addEntry(entry)
        if (entry.fields.event !== undefined) events.push(entry.fields.event)
      },
    })
    for (const line of text.trim().split('\n')) verifier.addLine(line)
    expect(verifier.finish().fault).toBeNull()
    const { models, toolPrices } = demo.traffic
    const prices = [...Object.keys(models), ...toolPrices].map(() => 'price.apply')
    const isAboutTools = (event: unknown) => String(event).startsWith('mcp_tool.')
    const [first, ...others] = events
    expect(first).toBe('demo.fill')
    expect(others.filter((event) => !isAboutTools(event))).toEqual([
      ...['pack.activate', 'pack.activate', 'content_capture.change'],
      ...prices,
    ])
    expect(others.filter(isAboutTools).length).toBeGreaterThan(5)
    expect(costs.finish('export')).toMatchObject({
      fault: null,
      facts: { computed: calls.length, costNanos: String(nanosOf(calls)), withoutPrice: 0 },
    })
  })
})

const spanOf = () => ({ from: week.from, to: week.to })
