import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, newId, openDatabase } from '../../../packages/service/src/db/index.js'
import {
  createEventRecorder,
  type Entry,
  loadOrCreateSigningKey,
  noMarks,
  type ReceiptDraft,
  toolCallFields,
} from '../../../packages/service/src/record/index.js'
import { projectCallCorrection, projectCalls } from '../../../packages/service/src/reporting/calls/index.js'
import { addToTotals } from '../../../packages/service/src/reporting/usage/counting/totals.js'
import { emptySum } from '../../../packages/service/src/reporting/usage/counting/usage-sum.js'
import {
  closeDays,
  projectUsage,
  projectUsageCorrection,
} from '../../../packages/service/src/reporting/usage/index.js'
import type { UsageFilter } from '../../../packages/service/src/reporting/usage/query/report-query.js'
import { writeCsv } from '../../../packages/service/src/reporting/usage/reports/csv.js'
import { readReport, reportUsage } from '../../../packages/service/src/reporting/usage/reports/report.js'
import { adjustReceipt } from '../../../packages/service/src/resources/compliance/adjustments.js'
import { createLedgerBench, type LedgerBench } from '../../harness/record/ledger.js'
import { propertyRuns } from '../../harness/run/property-runs.js'
import { pick, random, seed } from '../../harness/run/seed.js'

// Questions at random, over receipts at random, answered by plain sums over the receipts. The weeks have the end of daylight saving
// in Europe (25 October) and in America (1 November).

const now = new Date('2026-11-14T10:20:30.456Z')
const firstMs = Date.parse('2026-09-28T00:00:00Z')
const failures = new Set(['upstream_error', 'interrupted', 'failed'])
const hourMs = 3_600_000
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
]

type Call = Entry & { costNanos: number }
type Figures = Record<string, number>

let bench: LedgerBench
let database: Database
let calls: Call[]
const refusals: { tenantId: string; hour: Date; key: string; count: number }[] = []

beforeAll(async () => {
  bench = await createLedgerBench({ tenants: 2 })
  database = openDatabase(bench.database.url, () => undefined)
  const ledger = await bench.open({ projections: [projectCalls, projectUsage] })
  const append = (count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        ledger.append({
          tenantId: pick(bench.tenantIds),
          commitmentKey: null,
          draft: draftAt(momentAtRandom()),
        }),
      ),
    )
  await append(1_100)
  // What comes after it reopens some days; those that stay closed, and those that are open, are both read.
  await closeDays(database.db, now)
  await append(15)
  await correctSome()
  await refuseSome()
  const [days] = await bench.database.query<{ closed: number }>(
    'select count(*)::int as closed from closed_usage_days',
  )
  expect(days?.closed).toBeGreaterThan(10)
  await bench.database.query('analyze')
  calls = await readCalls()
})
afterAll(async () => {
  await database.close()
  await bench.close()
})

/** Often on the edge of an hour or a day, or right before it. */
function momentAtRandom(): Date {
  const ms = firstMs + Math.floor(random() * (now.getTime() - firstMs))
  const step = pick([1, 1, 1, 60_000, hourMs / 2, hourMs, 24 * hourMs])
  return new Date(Math.floor(ms / step) * step - pick([0, 0, 1]))
}

function draftAt(at: Date): ReceiptDraft {
  const user = pick([null, 'ann', 'ben', 'zoë ☂'])
  const team = pick([null, 'team_a', 'team_b'])
  const session = pick([null, null, 's1', 's2', '=s3'])
  const route = pick([null, null, 'smart', '=cheap'])
  const agent = pick([null, null, 'codex'])
  const cache = pick([null, null, 'hit' as const])
  const batch = pick([null, null, 'batch_1'])
  const tags = pick([
    null,
    { project: 'alpha' },
    { env: 'prod', project: 'alpha' },
    { project: 'b"e,t\na' },
    { env: 'dev' },
  ])
  const outcome = pick([
    'ok',
    'ok',
    'ok',
    'blocked',
    'redacted',
    'upstream_error',
    'aborted',
    'interrupted',
    'failed',
  ] as const)
  return {
    id: newId('req'),
    ts: at.toISOString(),
    key: pick(['key_1', 'key_2', 'key_3']),
    ...(user !== null && { user }),
    ...(team !== null && { team }),
    ...(session !== null && { session }),
    ...(route !== null && { route }),
    ...(agent !== null && { agent }),
    ...(cache !== null && { cache }),
    ...(batch !== null && { batch }),
    ...(tags !== null && { tags }),
    ...pick([
      { kind: 'model' as const, provider: 'openai', model: 'gpt-4o' },
      { kind: 'model' as const, provider: 'openai', model: 'openai/gpt-4o' },
      { kind: 'model' as const, provider: 'openai', model: 'smart', target: 'gpt-4o' },
      { kind: 'model' as const, provider: 'anthropic', model: 'claude' },
      { kind: 'model' as const, provider: 'mock' },
      { kind: 'model' as const },
      toolCallFields({ server: 'files', tool: 'read', method: 'tools/call' }),
      toolCallFields({ server: 'files', tool: 'files__read', method: 'tools/call' }),
      toolCallFields({ server: 'search', tool: pick(['a:b', 'read']), method: 'resources/read' }),
    ]),
    inputTokens: Math.floor(random() * 100_000),
    outputTokens: Math.floor(random() * 10_000),
    costNanos: Math.floor(random() * 1e9) + 1,
    usage: pick(['provider', 'counted']),
    latencyMs: Math.floor(Math.exp(random() * 13)),
    status: 200,
    outcome,
    checks: [
      { name: 'pii', applicable: true, result: pick(['pass', 'fail']), policy: 'pol_1@3' },
      { name: 'budget', applicable: true, result: 'fail' },
      ...(random() < 0.3
        ? [{ name: 'secrets', applicable: true, result: 'pass' as const, action: 'flag', policy: 'pol_2' }]
        : []),
    ],
  }
}

/** As the counter of refusals writes them: on hours, of which some are in closed days. */
async function refuseSome(): Promise<void> {
  for (let n = 0; n < 8; n++) {
    const hour = new Date(Math.floor(momentAtRandom().getTime() / hourMs) * hourMs)
    const refusal = { tenantId: pick(bench.tenantIds), hour, key: pick(['key_1', 'key_2']), count: 1 + n }
    refusals.push(refusal)
    const dimensions = {
      tenantId: refusal.tenantId,
      keyId: refusal.key,
      userId: null,
      teamId: null,
      provider: 'openai',
      model: 'gpt-4o',
      outcome: null,
      tags: {},
    }
    const sum = { ...emptySum(), rateLimited: refusal.count }
    for (const { text, values } of addToTotals([{ at: hour.toISOString(), dimensions, sum }]))
      await bench.database.query(text, values)
  }
}

async function correctSome(): Promise<void> {
  const signingKey = await loadOrCreateSigningKey({ dataDir: bench.dataDir, configured: null })
  const recordEvent = createEventRecorder({ marks: noMarks, signingKey: () => signingKey, now: () => now })
  const parts = {
    db: database.db,
    recordEvent,
    project: (correction: Parameters<typeof projectUsageCorrection>[0]) => [
      ...projectUsageCorrection(correction),
      ...projectCallCorrection(correction),
    ],
    onAdjusted: () => undefined,
  }
  const rows = await bench.database.query<{ tenant_id: string; seq: string; canonical: string }>(
    `select tenant_id, seq, canonical from receipts where canonical like '%"usage":"counted"%' order by random() limit 12`,
  )
  for (const { tenant_id: tenantId, seq } of rows) {
    const actor = {
      tenantId,
      type: 'key' as const,
      id: 'key_1',
      keyId: 'key_1',
      userId: null,
      sessionId: null,
    }
    const correct = (costNanos: number) =>
      adjustReceipt(parts, actor, Number(seq), { costNanos, reason: 'the bill' })
    await correct(Math.floor(random() * 2e9))
    if (random() < 0.3) await correct(7)
  }
}

async function readCalls(): Promise<Call[]> {
  const rows = await bench.database.query<{ canonical: string }>('select canonical from receipts')
  const entries: Entry[] = rows.map(({ canonical }) => JSON.parse(canonical))
  const corrections = entries.filter(({ adjusts }) => adjusts !== undefined)
  expect(corrections.length).toBeGreaterThanOrEqual(12)
  return entries
    .filter(({ kind }) => kind !== 'control')
    .map((entry) => {
      const own = corrections.filter(
        ({ tenant, adjusts }) => tenant === entry.tenant && adjusts === entry.seq,
      )
      const costNanos = own.reduce((sum, { costNanos = 0 }) => sum + costNanos, entry.costNanos ?? 0)
      return { ...entry, costNanos }
    })
}

const modelOf = ({ provider, model, target }: Call): string | null => {
  if (provider === 'mock') return model === undefined ? null : `mock/${model}`
  return target ?? model?.replace('openai/', '') ?? null
}

const dimensions: Record<string, (call: Call) => string | null> = {
  model: modelOf,
  provider: ({ provider }) => provider ?? null,
  key: ({ key }) => key ?? null,
  user: ({ user }) => user ?? null,
  team: ({ team }) => team ?? null,
  outcome: ({ outcome }) => outcome ?? null,
  session: ({ session }) => session ?? null,
  route: ({ route }) => route ?? null,
  agent: ({ agent }) => agent ?? null,
  cache: ({ cache }) => cache ?? null,
  batch: ({ batch }) => batch ?? null,
  kind: ({ kind }) => kind,
  server: ({ server }) => server ?? null,
  tool: ({ tool }) => tool ?? null,
  'tag.project': ({ tags }) => tags?.project ?? null,
  'tag.env': ({ tags }) => tags?.env ?? null,
}

/** What each filter keeps. */
const keeps: Record<string, (call: Call, value: string | number) => boolean> = {
  keyId: ({ key }, value) => key === value,
  userId: ({ user }, value) => user === value,
  teamId: ({ team }, value) => team === value,
  provider: ({ provider }, value) => provider === value,
  model: (call, value) => modelOf(call) === value || `${call.provider}/${modelOf(call)}` === value,
  outcome: ({ outcome }, value) => outcome === value,
  session: ({ session }, value) => session === value,
  route: ({ route }, value) => route === value,
  agent: ({ agent }, value) => agent === value,
  cache: ({ cache }, value) => cache === value,
  batch: ({ batch }, value) => batch === value,
  kind: ({ kind }, value) => kind === value,
  server: ({ server }, value) => server === value,
  tool: ({ server, tool }, value) => tool === value || `${server}__${tool}` === value,
  requestId: ({ id }, value) => id === value,
  minCostUsd: ({ costNanos }, value) => costNanos >= Math.round(Number(value) * 1e9),
  policyId: ({ checks = [] }, value) =>
    checks.some(
      ({ policy, result, action }) => policy?.split('@')[0] === value && (result === 'fail' || action),
    ),
  'tag.project': ({ tags }, value) => tags?.project === value,
  'tag.env': ({ tags }, value) => tags?.env === value,
}

const momentText = fc.oneof(
  // Any millisecond, and moments on edges.
  fc.integer({ min: firstMs - hourMs, max: now.getTime() }).map((ms) => new Date(ms).toISOString()),
  fc.integer({ min: 0, max: 48 * 48 }).map((n) => new Date(firstMs + (n * hourMs) / 2).toISOString()),
  fc.integer({ min: 0, max: 47 }).map((n) => new Date(firstMs + n * 24 * hourMs).toISOString().slice(0, 10)),
)
const optional = <T>(arbitrary: fc.Arbitrary<T>, freq = 3) => fc.option(arbitrary, { nil: undefined, freq })
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const questions = fc
  .record({
    span: fc.oneof(
      fc.record({
        range: fc.constantFrom('1h', '24h', '7d', '30d', 'today', 'last-week', 'mtd', 'last-month', 'ytd'),
      }),
      fc.record({ from: momentText, to: optional(momentText) }),
    ),
    timeZone: optional(fc.constantFrom(...zones)),
    interval: optional(fc.constantFrom('minute', 'hour', 'day', 'week', 'month'), 1),
    groupBy: optional(
      fc
        .uniqueArray(fc.constantFrom(...Object.keys(dimensions)), { minLength: 1, maxLength: 2 })
        .map((names) => names.join(',')),
    ),
    groupSeries: optional(fc.constantFrom(1, 2, 50)),
    compare: rarely(fc.constant('previous')),
    keyId: rarely(fc.constantFrom('key_1', 'key_2', 'key_9')),
    userId: rarely(fc.constantFrom('ann', 'zoë ☂')),
    teamId: rarely(fc.constantFrom('team_a', 'team_b')),
    provider: rarely(fc.constantFrom('openai', 'mock')),
    model: rarely(fc.constantFrom('gpt-4o', 'openai/gpt-4o', 'anthropic/claude')),
    outcome: rarely(fc.constantFrom('ok', 'blocked', 'interrupted')),
    session: rarely(fc.constantFrom('s1', '=s3')),
    route: rarely(fc.constantFrom('smart', '=cheap')),
    agent: rarely(fc.constantFrom('codex', 'opencode')),
    cache: rarely(fc.constant('hit')),
    batch: rarely(fc.constantFrom('batch_1', 'batch_2')),
    kind: rarely(fc.constantFrom('model', 'tool')),
    server: rarely(fc.constantFrom('files', 'search', 'none')),
    tool: rarely(fc.constantFrom('read', 'files__read', 'files__files__read', 'a:b')),
    policyId: rarely(fc.constantFrom('pol_1', 'pol_2')),
    minCostUsd: rarely(fc.integer({ min: 0, max: 1e9 }).map((nanos) => nanos / 1e9)),
    'tag.project': rarely(fc.constantFrom('alpha', 'b"e,t\na')),
    'tag.env': rarely(fc.constantFrom('prod', 'none')),
    own: rarely(fc.constantFrom({ userId: 'ann' }, { keyId: 'key_1' })),
    tenant: fc.nat(1),
  })
  .map(({ span, own = null, tenant, ...rest }) => {
    const given = Object.entries({ ...span, ...rest }).filter(([, value]) => value !== undefined)
    return { ...Object.fromEntries(given), own, tenantId: bench.tenantIds[tenant] ?? '' } as UsageFilter
  })

function matches(filter: UsageFilter): Call[] {
  const { own, tenantId } = filter
  return calls.filter(
    (call) =>
      call.tenant === tenantId &&
      (own === null ||
        ('userId' in own ? call.user === own.userId : call.key === own.keyId && call.user === undefined)) &&
      Object.entries(filter).every(([name, value]) => keeps[name]?.(call, value as string) ?? true),
  )
}

const between = (of: readonly Call[], from: string, to: string) =>
  of.filter(({ ts }) => ts >= from && ts < to)

function expectSums(figures: Figures, of: readonly Call[], what: string): void {
  const total = (read: (call: Call) => number | undefined) =>
    of.reduce((sum, call) => sum + (read(call) ?? 0), 0)
  expect(
    {
      requests: figures.requests,
      inputTokens: figures.inputTokens,
      outputTokens: figures.outputTokens,
      spendNanos: Math.round((figures.spendUsd ?? 0) * 1e9),
      blocked: figures.blocked,
      errors: figures.errors,
      avgLatencyMs: figures.avgLatencyMs,
    },
    what,
  ).toEqual({
    requests: of.length,
    inputTokens: total(({ inputTokens }) => inputTokens),
    outputTokens: total(({ outputTokens }) => outputTokens),
    spendNanos: total(({ costNanos }) => costNanos),
    blocked: of.filter(({ outcome }) => outcome === 'blocked').length,
    errors: of.filter(({ outcome }) => failures.has(outcome ?? '')).length,
    avgLatencyMs:
      of.length === 0 ? 0 : Math.round((total(({ latencyMs }) => latencyMs) / of.length) * 10) / 10,
  })
  const latencies = of.map(({ latencyMs = 0 }) => latencyMs).sort((a, b) => a - b)
  const exact = latencies[Math.ceil((latencies.length * 95) / 100) - 1] ?? 0
  expect(Math.abs((figures.p95LatencyMs ?? 0) - exact), `p95 of ${what}`).toBeLessThanOrEqual(
    exact / 9 + 0.05,
  )
}

/** They are known by key, provider and model, and have no owner here; what they do not have, no filter finds. */
function expectedRefusals(filter: UsageFilter, from: string, to: string): number {
  const { own, groupBy = '', keyId, provider, model } = filter
  const ofCalls = ['session', 'route', 'agent', 'cache', 'batch', 'tool']
  const others = ['userId', 'teamId', 'outcome', 'policyId', 'minCostUsd', 'requestId', ...ofCalls]
  if ([...others, 'tag.project', 'tag.env'].some((name) => name in filter)) return 0
  if (ofCalls.some((name) => groupBy.includes(name))) return 0
  if (filter.kind === 'tool' || filter.server !== undefined) return 0
  if (provider === 'mock' || model === 'anthropic/claude' || (own && 'userId' in own)) return 0
  return refusals
    .filter(({ tenantId, hour, key }) => {
      const isIn = hour.toISOString() >= from && hour.toISOString() < to
      return (
        isIn &&
        tenantId === filter.tenantId &&
        [key, undefined].includes(keyId) &&
        (!own || key === own.keyId)
      )
    })
    .reduce((sum, { count }) => sum + count, 0)
}

const dateFormats = new Map(
  zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })]),
)
const dateIn = (timeZone: string, ts: string) => dateFormats.get(timeZone)?.format(new Date(ts)) ?? ''

async function checkAnswer(filter: UsageFilter): Promise<boolean> {
  const body = await reportUsage(database.db, () => now, filter).catch((error: Error) => {
    // Not a question: a span without a length, or with more points than are shown.
    if (
      /^(to: must be after|interval: makes|groupSeries: makes|from: must not be in the future)/.test(
        error.message,
      )
    )
      return null
    throw error
  })
  if (body === null) return false
  const of = matches(filter)
  const within = between(of, body.from, body.to)
  expectSums(body.totals, within, 'totals')
  for (const [i, { ts, ...point }] of body.series.entries())
    expectSums(point, between(of, ts, body.series[i + 1]?.ts ?? body.to), ts)
  if (body.interval === 'day' || body.interval === 'month') {
    const unit = (ts: string) => dateIn(body.timeZone, ts).slice(0, body.interval === 'day' ? 10 : 7)
    for (const { ts, requests } of body.series)
      expect(requests, ts).toBe(within.filter((call) => unit(call.ts) === unit(ts)).length)
  }

  const refused = expectedRefusals(filter, body.from, body.to)
  expect(body.totals.rateLimited).toBe(refused)
  const refusedIn = (parts: { rateLimited: number }[]) =>
    parts.reduce((sum, { rateLimited }) => sum + rateLimited, 0)
  expect([refusedIn(body.series), refusedIn(body.groups)]).toEqual([refused, refused])

  const readers = (filter.groupBy ?? 'model').split(',').map((name) => dimensions[name] ?? (() => null))
  const keyOf = (call: Call) => JSON.stringify(readers.map((read) => read(call)))
  const before = body.previous ? between(of, body.previous.from, body.previous.to) : []
  const listed = body.groups.filter(({ requests, previous }) => requests > 0 || (previous?.requests ?? 0) > 0)
  expect(
    new Set(listed.map(({ key, second }) => JSON.stringify(second ? [key, second.key] : [key]))),
  ).toEqual(new Set([...within, ...before].map(keyOf)))
  for (const { key, second, name: _, previous, change, series: __, ...figures } of body.groups) {
    const name = JSON.stringify(second ? [key, second.key] : [key])
    expectSums(
      figures,
      within.filter((call) => keyOf(call) === name),
      name,
    )
    if (!previous || !change) continue
    const own = before.filter((call) => keyOf(call) === name)
    expect(Math.round(previous.spendUsd * 1e9)).toBe(own.reduce((sum, { costNanos }) => sum + costNanos, 0))
    expect(change.requests).toBe(figures.requests - own.length)
  }
  checkGroupSeries(body, filter, within, keyOf)
  if (body.previous) {
    expectSums(body.previous.totals, before, 'the span before')
    expect(body.previous.to <= body.from).toBe(true)
  }
  return true
}

type Answer = Awaited<ReturnType<typeof reportUsage>>

/** Each interval of each group that has a series, and of all others together, is the sum over its calls. */
function checkGroupSeries(
  body: Answer,
  { groupSeries = 0 }: UsageFilter,
  within: readonly Call[],
  keyOf: (call: Call) => string,
): void {
  const first = body.groups.slice(0, groupSeries)
  expect(body.groups.filter(({ series }) => series)).toEqual(first)
  expect(body.otherSeries !== undefined).toBe(groupSeries > 0)
  const names = first.map(({ key, second }) => JSON.stringify(second ? [key, second.key] : [key]))
  const parts = [
    ...first.map(({ series = [] }, i) => ({
      series,
      of: within.filter((call) => keyOf(call) === names[i]),
    })),
    { series: body.otherSeries ?? [], of: within.filter((call) => !names.includes(keyOf(call))) },
  ]
  if (groupSeries === 0) return
  for (const { series, of } of parts) {
    const seen = body.series.map(({ ts }, i) => between(of, ts, body.series[i + 1]?.ts ?? body.to))
    expect(series.map(({ ts }) => ts)).toEqual(
      body.series.flatMap(({ ts }, i) => ((seen[i]?.length ?? 0) > 0 ? [ts] : [])),
    )
    const figuresOf = (calls: readonly Call[]) => ({
      requests: calls.length,
      inputTokens: calls.reduce((sum, { inputTokens = 0 }) => sum + inputTokens, 0),
      outputTokens: calls.reduce((sum, { outputTokens = 0 }) => sum + outputTokens, 0),
      nanos: calls.reduce((sum, { costNanos }) => sum + costNanos, 0),
      blocked: calls.filter(({ outcome }) => outcome === 'blocked').length,
      errors: calls.filter(({ outcome }) => failures.has(outcome ?? '')).length,
    })
    expect(
      series.map(({ ts: _, totalTokens: __, spendUsd, ...figures }) => ({
        ...figures,
        nanos: Math.round(spendUsd * 1e9),
      })),
    ).toEqual(seen.filter((calls) => calls.length > 0).map(figuresOf))
  }
}

test('every answer equals plain sums over the receipts, to the nano-dollar and the token', async () => {
  let answered = 0
  await fc.assert(
    fc.asyncProperty(questions, async (filter) => {
      if (await checkAnswer(filter)) answered++
    }),
    { seed, numRuns: propertyRuns },
  )
  expect(answered).toBeGreaterThan(40)
})

/** RFC 4180, as a reader of the table would take it apart. */
function parseCsv(text: string): string[][] {
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy
  const rows: string[][] = [[]]
  let read = 0
  for (const [all, value = '', end] of text.matchAll(cell)) {
    read += all.length
    rows.at(-1)?.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    if (end === '\r\n') rows.push([])
  }
  expect(read).toBe(text.length)
  expect(rows.pop()).toEqual([])
  return rows
}

test('the lines of a table add up to the totals, whatever is in its cells', async () => {
  await fc.assert(
    fc.asyncProperty(questions, async (filter) => {
      const report = await readReport(
        database.db,
        () => now,
        filter,
        filter.interval === undefined ? 0 : 'all',
      ).catch(() => null)
      if (report === null) return
      const [header = [], ...lines] = parseCsv(writeCsv(report, []))
      expect(new Set(header).size).toBe(header.length)
      for (const line of lines) {
        expect(line).toHaveLength(header.length)
        for (const cell of line) expect(cell).not.toMatch(/^[=+@\t\r]|^-(?![\d.]+$)/)
      }
      const of = between(matches(filter), report.query.span.from.toISOString(), report.to.toISOString())
      const sum = (name: string, scale: number) =>
        lines.reduce((total, line) => total + Math.round(Number(line[header.indexOf(name)]) * scale), 0)
      expect(sum('requests', 1)).toBe(of.length)
      expect(sum('spend_usd', 1e9)).toBe(of.reduce((total, { costNanos }) => total + costNanos, 0))
    }),
    { seed, numRuns: propertyRuns / 4 },
  )
})
