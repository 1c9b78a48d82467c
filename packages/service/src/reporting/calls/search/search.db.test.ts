import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../../../../../../test/harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../../../../../test/harness/service/database.js'
import { type CallRow, type Database, openDatabase } from '../../../db/index.js'
import { type NumberedReceipt, toolCallFields } from '../../../record/index.js'
import { makePartitions, startPartitionMaintenance } from '../partitions.js'
import { projectCalls } from '../projection.js'
import type { CallFilter } from './filter.js'
import type { Position } from './position.js'
import { type SearchBounds, searchCalls } from './search.js'

const tenantId = 't'
const dayMs = 86_400_000
const weeks = 6
const now = Date.now()

let database: TestDatabase
let opened: Database
let rows: CallRow[]

// Few values each, so that filters meet some, all or none of the calls. Times repeat, and one is far from any partition.
const few = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 4 })
const moment = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: weeks * 7 * 4 }).map((n) => now - n * (dayMs / 4)) },
  { weight: 1, arbitrary: fc.constant(now - 900 * dayMs) },
)
const called = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'model' as const }) },
  {
    weight: 1,
    arbitrary: fc
      .record({
        server: fc.constantFrom('files', 'search'),
        tool: fc.constantFrom('read', 'files__read', 'write__all'),
        method: fc.constantFrom('tools/call', 'resources/read'),
      })
      .map(toolCallFields),
  },
)
const receipt = fc.record({
  at: moment,
  called,
  key: few('k1', 'k2', 'k3'),
  user: few('u1', 'u2'),
  team: few('t1', 't2'),
  provider: few('openai', 'azure', 'mock'),
  model: few('gpt', 'openai/gpt', 'azure/gpt', 'meta/llama', 'mock/echo'),
  outcome: fc.constantFrom('ok' as const, 'blocked' as const, 'upstream_error' as const),
  policy: few('pol_1@1', 'pol_2@7'),
  session: few('s1', 's2'),
  route: few('r1', 'r2'),
  agent: few('codex', 'claude-code'),
  cache: fc.option(fc.constant('hit' as const), { nil: undefined, freq: 4 }),
  batch: few('batch_1', 'batch_2'),
  tags: fc.dictionary(fc.constantFrom('env', 'project'), fc.constantFrom('a', 'b'), { maxKeys: 2 }),
  costNanos: fc.integer({ min: 0, max: 5 }),
})
const filters: fc.Arbitrary<CallFilter> = fc.record({
  own: fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom({ userId: 'u1' }, { keyId: 'k1' }) },
  ),
  from: rare(moment.map((at) => new Date(at))),
  to: rare(moment.map((at) => new Date(at))),
  keyId: rare(fc.constantFrom('k1', 'k2', 'none')),
  userId: rare(fc.constantFrom('u1', 'none')),
  teamId: rare(fc.constantFrom('t1', 't2')),
  provider: rare(fc.constantFrom('openai', 'mock')),
  model: rare(fc.constantFrom('gpt', 'openai/gpt', 'azure/gpt', 'meta/llama', 'mock/echo', 'none')),
  kind: rare(fc.constantFrom('model', 'tool')),
  server: rare(fc.constantFrom('files', 'none')),
  tool: rare(
    fc.constantFrom('read', 'files__read', 'files__files__read', 'search__read', 'write__all', 'none'),
  ),
  outcome: rare(fc.constantFrom('ok', 'blocked')),
  policyId: rare(fc.constantFrom('pol_1', 'pol_2', 'none')),
  session: rare(fc.constantFrom('s1', 'none')),
  route: rare(fc.constantFrom('r1', 'none')),
  agent: rare(fc.constantFrom('codex', 'none')),
  cache: rare(fc.constant('hit')),
  batch: rare(fc.constantFrom('batch_1', 'none')),
  tags: fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.constantFrom('env', 'project'), fc.constantFrom('a', 'b', 'c')),
    },
  ),
  minCostNanos: rare(fc.integer({ min: 0, max: 6 })),
  requestId: fc.oneof(
    { weight: 9, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom('req_1', 'req_9999') },
  ),
})

function rare<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value })
}

beforeAll(async () => {
  database = await createTestDatabase()
  opened = openDatabase(database.url, () => undefined)
  await makePartitions(opened.db, new Date(now - weeks * 7 * dayMs), new Date(now))
  const drawn = fc.sample(receipt, 400)
  const receipts = drawn.map(({ at, called, policy, tags, ...draft }, i): NumberedReceipt => {
    const check =
      policy === undefined ? [] : [{ name: 'pii', applicable: true, result: 'fail', policy } as const]
    return {
      tenantId: i % 10 === 0 ? 'another' : tenantId,
      seq: i + 1,
      commitmentKey: null,
      draft: {
        id: `req_${i + 1}`,
        ts: new Date(at).toISOString(),
        checks: [{ name: 'budget', applicable: true, result: 'pass' }, ...check],
        ...definedOf(draft),
        ...called,
        ...(Object.keys(tags).length > 0 && { tags }),
      },
    }
  })
  for (const { text, values } of projectCalls(receipts)) await database.query(text, values)
  rows = await opened.db.selectFrom('calls').selectAll().where('tenant_id', '=', tenantId).execute()
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

const definedOf = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** The same filter, without SQL. */
function meets(row: CallRow, filter: CallFilter): boolean {
  const { own, model } = filter
  const is = (wanted: string | null, value: string | null) => wanted === null || wanted === value
  return (
    (own === null ||
      ('userId' in own ? row.user_id === own.userId : row.user_id === null && row.key_id === own.keyId)) &&
    (filter.from === null || row.ts >= filter.from) &&
    (filter.to === null || row.ts < filter.to) &&
    is(filter.keyId, row.key_id) &&
    is(filter.userId, row.user_id) &&
    is(filter.teamId, row.team_id) &&
    is(filter.provider, row.provider) &&
    (model === null || row.model === model || `${row.provider}/${row.model}` === model) &&
    is(filter.kind, row.kind) &&
    is(filter.server, row.server) &&
    (filter.tool === null || row.tool === filter.tool || `${row.server}__${row.tool}` === filter.tool) &&
    is(filter.outcome, row.outcome) &&
    (filter.policyId === null || (row.policy_ids ?? []).includes(filter.policyId)) &&
    is(filter.session, row.session) &&
    is(filter.route, row.route) &&
    is(filter.agent, row.agent) &&
    is(filter.cache, row.cache) &&
    is(filter.batch, row.batch) &&
    Object.entries(filter.tags).every(([name, value]) => row.tags?.[name] === value) &&
    (filter.minCostNanos === null || row.cost_nanos >= filter.minCostNanos) &&
    is(filter.requestId, row.request_id)
  )
}

async function readAllPages(filter: CallFilter, limit: number, bounds?: SearchBounds): Promise<number[]> {
  const found: number[] = []
  let after: Position | null = null
  // Every page moves on, so there cannot be more of them than rows and partitions.
  for (let page = 0; page < 2_000; page++) {
    const { rows, next } = await searchCalls(opened.db, tenantId, filter, { after, limit }, bounds)
    expect(rows.length).toBeLessThanOrEqual(limit)
    found.push(...rows.map(({ seq }) => seq))
    if (next === null) return found
    after = next
  }
  throw new Error('the pages do not end')
}

const expected = (filter: CallFilter): number[] =>
  rows
    .filter((row) => meets(row, filter))
    .sort((a, b) => b.ts.getTime() - a.ts.getTime() || b.seq - a.seq)
    .map(({ seq }) => seq)

const bounds = fc.record({
  rowsRead: fc.integer({ min: 10, max: 100 }),
  rowsSorted: fc.integer({ min: 0, max: 40 }),
  maxSearchMs: fc.constantFrom(0, 40),
})

const pagesAreWhatTheFilterSays = (runs: number) =>
  fc.assert(
    fc.asyncProperty(
      filters,
      fc.integer({ min: 5, max: 100 }),
      fc.option(bounds, { nil: undefined }),
      async (filter, limit, within) => {
        expect(await readAllPages(filter, limit, within)).toEqual(expected(filter))
      },
    ),
    { numRuns: runs },
  )

test('all pages together are what a plain filter finds, whatever the filter and the bounds of a page', async () => {
  await pagesAreWhatTheFilterSays(40)
})

const indexesOf = async (table: string): Promise<string[]> => {
  const rows = await database.query<{ definition: string }>(
    `select indexdef as definition from pg_indexes where tablename = $1`,
    [table],
  )
  return rows.map(({ definition }) => definition.replaceAll(table, 'calls')).toSorted()
}

test('all pages together are the same once completed weeks have their indexes', async () => {
  const upkeep = startPartitionMaintenance({
    db: opened.db,
    databaseUrl: database.url,
    retentionDays: 1_000,
    now: () => new Date(now),
    onError: (error) => expect(error).toBeNull(),
  })
  await waitFor('the indexes', async () => {
    // A week that was over less than an hour ago has none yet.
    const [left] = await database.query('select from calls_partitions where not indexed and until < $1', [
      new Date(now - 3_600_000),
    ])
    return left === undefined
  })
  await upkeep.close()
  // What has no partition is searched in the same way.
  const finished = await indexesOf(
    (await database.query<{ name: string }>('select name from calls_partitions where indexed limit 1'))[0]
      ?.name ?? '',
  )
  expect(finished.length).toBeGreaterThan(10)
  expect(await indexesOf('calls_default')).toEqual(finished)
  await pagesAreWhatTheFilterSays(60)
})
