import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId, openDatabase } from '../../../packages/service/src/db/index.js'
import {
  entryOutcomes,
  loadOrCreateSigningKey,
  noMarks,
  openLedger,
  publishSigningKey,
  type ReceiptDraft,
} from '../../../packages/service/src/record/index.js'
import { projectUsage } from '../../../packages/service/src/reporting/usage/index.js'
import { pick, random } from '../../harness/run/seed.js'
import { waitFor } from '../../harness/run/wait.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

const failures = new Set(['upstream_error', 'interrupted', 'failed'])
const ranges = ['1h', '24h', '7d', '30d', '90d', 'mtd']
const stepMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

type Figures = Record<string, number>
type Receipt = ReceiptDraft & { tenant: string }

const dimensions: Record<string, (receipt: Receipt) => string | null> = {
  model: (receipt) => receipt.model ?? null,
  provider: (receipt) => receipt.provider ?? null,
  key: (receipt) => receipt.key ?? null,
  user: (receipt) => receipt.user ?? null,
  team: (receipt) => receipt.team ?? null,
}

let service: TestService
let receipts: Receipt[]
let refusals = 0

beforeAll(async () => {
  service = await startTestService()
  await callGateway()
  await recordThePast()
  await waitFor(
    'the refusals to be counted',
    async () => (await service.api.get('/v1/usage?range=1h')).body.totals.rateLimited === refusals,
  )
  const rows = await service.database.query<{ canonical: string }>('select canonical from receipts')
  receipts = rows.map((row) => JSON.parse(row.canonical))
})
afterAll(() => service.stop())

/** Calls that succeed, fail, are blocked and are refused, of several keys, users and teams, many at once. */
async function callGateway(): Promise<void> {
  const [tenant] = await service.database.query<{ id: string }>('select id from tenants')
  await service.database.query(
    `insert into teams (id, tenant_id, name, budget_pool_nanos) values ('team_a', $1, 'a', 1000000000000), ('team_b', $1, 'b', 0)`,
    [tenant?.id],
  )
  const bodies = [
    { name: 'plain' },
    { name: 'ann', userId: 'ann', teamId: 'team_a' },
    { name: 'ben', userId: 'ben', teamId: 'team_b' },
    { name: 'ben again', userId: 'ben', teamId: 'team_a' },
    { name: 'picky', userId: 'eve', allowedModels: ['mock/echo'] },
    { name: 'slowed', rpmLimit: 2 },
  ]
  const keys: string[] = []
  for (const body of bodies) keys.push((await service.api.post('/v1/keys', body)).body.key)
  const calls = Array.from({ length: 150 }, async () => {
    const content = 'word '.repeat(1 + Math.floor(random() * 40))
    const model = pick(['mock/echo', 'mock/echo', 'mock/slow', 'mock/fail'])
    const { status } = await service.as(pick(keys)).post('/v1/chat/completions', {
      model,
      max_tokens: model === 'mock/slow' ? 1 : 30,
      messages: [{ role: 'user', content }],
    })
    if (status === 429) refusals++
    return status
  })
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200, 402, 403, 429, 500]))
}

/** Receipts of the last hundred days, at random and right on the edges of days, hours and minutes. */
async function recordThePast(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-past-'))
  const { url } = service.database
  const { db, close } = openDatabase(url, () => undefined)
  const signingKey = await loadOrCreateSigningKey({ dataDir, configured: null })
  await publishSigningKey(db, signingKey.publicKey)
  const log = { debug: () => undefined, warn: () => undefined, error: () => undefined }
  const ledger = await openLedger({
    databaseUrl: url,
    dataDir,
    signingKey,
    marks: noMarks,
    projections: [projectUsage],
    log,
  })
  const [tenant] = await service.database.query<{ id: string }>('select id from tenants')
  const tenantId = tenant?.id ?? ''
  const past = [...momentsAtRandom(800), ...momentsOnEdges()].map((atMs) =>
    ledger.append({ tenantId, commitmentKey: null, draft: draftAt(new Date(atMs)) }),
  )
  await Promise.all(past)
  await ledger.append({
    tenantId,
    commitmentKey: null,
    draft: { id: newId('req'), ts: new Date().toISOString(), kind: 'control', costNanos: 1 },
  })
  await ledger.close()
  await close()
  await rm(dataDir, { recursive: true, force: true })
}

function momentsAtRandom(count: number): number[] {
  const spansMs = [3_600_000, 86_400_000, 7 * 86_400_000, 100 * 86_400_000]
  return Array.from({ length: count }, () => Math.floor(Date.now() - random() * pick(spansMs)))
}

function momentsOnEdges(): number[] {
  return Object.values(stepMs).flatMap((step) =>
    Array.from({ length: 100 }, (_, i) => Math.floor(Date.now() / step - i) * step).flatMap((edge) => [
      edge,
      edge - 1,
    ]),
  )
}

function draftAt(at: Date): ReceiptDraft {
  const user = pick([null, 'ann', 'ben', 'zoë ☂'])
  const team = pick([null, 'team_a', 'team_c'])
  return {
    id: newId('req'),
    ts: at.toISOString(),
    kind: pick(['model', 'tool']),
    key: pick(['key_1', 'key_2', 'key_3']),
    ...(user !== null && { user }),
    ...(team !== null && { team }),
    ...pick([
      { provider: 'openai', model: 'gpt-4o' },
      { provider: 'anthropic', model: 'claude' },
      { provider: 'mock' },
      {},
    ]),
    inputTokens: Math.floor(random() * 100_000),
    outputTokens: Math.floor(random() * 10_000),
    // Large enough that sums in floating-point dollars would be off.
    costNanos: Math.floor(random() * 1e9) + 1,
    latencyMs: Math.floor(Math.exp(random() * 13)),
    outcome: pick(['ok', 'ok', ...entryOutcomes]),
  }
}

/** What the receipts themselves add up to. */
function addUp(of: readonly Receipt[]): Figures {
  const total = (read: (receipt: Receipt) => number | undefined) =>
    of.reduce((sum, receipt) => sum + (read(receipt) ?? 0), 0)
  const inputTokens = total((receipt) => receipt.inputTokens)
  const outputTokens = total((receipt) => receipt.outputTokens)
  return {
    requests: of.length,
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    spendNanos: total((receipt) => receipt.costNanos),
    blocked: of.filter(({ outcome }) => outcome === 'blocked').length,
    errors: of.filter(({ outcome }) => failures.has(outcome ?? '')).length,
    avgLatencyMs:
      of.length === 0 ? 0 : Math.round((total((receipt) => receipt.latencyMs) / of.length) * 10) / 10,
  }
}

function expectToEqualReceipts(figures: Figures, of: readonly Receipt[], what: string): void {
  const { spendUsd = 0, p50LatencyMs, p95LatencyMs, rateLimited: _, ...counts } = figures
  // The number on the wire is the double nearest to the nano-dollars: reading it back loses nothing.
  expect({ ...counts, spendNanos: Math.round(spendUsd * 1e9) }, what).toEqual(addUp(of))
  const latencies = of.map((receipt) => receipt.latencyMs ?? 0).sort((a, b) => a - b)
  for (const [percent, read = 0] of [
    [50, p50LatencyMs],
    [95, p95LatencyMs],
  ] as const) {
    const exact = latencies[Math.ceil((latencies.length * percent) / 100) - 1] ?? 0
    expect(Math.abs(read - exact), `p${percent} of ${what}`).toBeLessThanOrEqual(exact / 9 + 0.05)
  }
}

describe.each(ranges)('over %s', (range) => {
  test.each(Object.keys(dimensions))(
    'totals, series and groups by %s equal the receipts to the nano-dollar',
    async (groupBy) => {
      const { body } = await service.api.get(`/v1/usage?range=${range}&groupBy=${groupBy}`)
      const calls = receipts.filter(({ kind, ts }) => kind !== 'control' && ts >= body.from && ts < body.to)
      expect(calls.length).toBeGreaterThan(50)
      expectToEqualReceipts(body.totals, calls, 'totals')

      const step = stepMs[body.interval] ?? 0
      for (const { ts, ...figures } of body.series) {
        const endOfPoint = new Date(Date.parse(ts) + step).toISOString()
        expectToEqualReceipts(
          figures,
          calls.filter((call) => call.ts >= ts && call.ts < endOfPoint),
          ts,
        )
      }
      const dimension = dimensions[groupBy] ?? (() => null)
      for (const { key, name: _, ...figures } of body.groups) {
        expectToEqualReceipts(
          figures,
          calls.filter((call) => dimension(call) === key),
          `${groupBy} ${key}`,
        )
      }
      for (const parts of [body.series, body.groups] as Figures[][]) {
        for (const name of ['requests', 'rateLimited', 'blocked', 'errors', 'totalTokens']) {
          expect(
            parts.reduce((sum, part) => sum + (part[name] ?? 0), 0),
            name,
          ).toBe(body.totals[name])
        }
      }
      expect(body.totals.rateLimited).toBe(refusals)
      const order = body.groups.map(({ spendUsd, requests }: Figures) => [-(spendUsd ?? 0), -(requests ?? 0)])
      expect(order).toEqual(
        order.toSorted(([a, b]: number[], [c, d]: number[]) => (a ?? 0) - (c ?? 0) || (b ?? 0) - (d ?? 0)),
      )
    },
  )
})

test('a report read in the middle of traffic agrees with itself', async () => {
  const traffic = Array.from({ length: 60 }, () =>
    service.api.post('/v1/chat/completions', {
      model: 'mock/echo',
      messages: [{ role: 'user', content: 'on and on' }],
    }),
  )
  const reports = await Promise.all(
    Array.from({ length: 20 }, () => service.api.get('/v1/usage?range=24h&groupBy=key')),
  )
  await Promise.all(traffic)
  for (const { body } of reports) {
    const add = (parts: Figures[], name: string) =>
      parts.reduce((sum, part) => sum + Math.round((part[name] ?? 0) * 1e9), 0)
    for (const name of ['requests', 'totalTokens', 'spendUsd']) {
      expect(add(body.series, name)).toBe(add([body.totals], name))
      expect(add(body.groups, name)).toBe(add([body.totals], name))
    }
  }
})
