import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { migrate } from './index.js'

// A database with data of the version that kept money in micro-dollars.

const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))
let url: string
let admin: pg.Client
let client: pg.Client

beforeEach(async () => {
  const empty = new URL(inject('postgresUrl'))
  empty.pathname = `/upgrade_${randomBytes(6).toString('hex')}`
  url = empty.href
  admin = new pg.Client(inject('postgresUrl'))
  await admin.connect()
  await admin.query(`create database ${empty.pathname.slice(1)}`)
  client = new pg.Client(url)
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await admin.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`)
  await admin.end()
})

async function migrateUpTo(last: string): Promise<void> {
  await client.query(`create table schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  for (const name of readdirSync(folder).sort()) {
    if (name > last) break
    const sql = readFileSync(`${folder}${name}`, 'utf8')
    const checksum = createHash('sha256').update(sql).digest('hex')
    await client.query(sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
  }
}

const rowsOf = async (sql: string) => (await client.query(sql)).rows

test('amounts keep their worth, what was granted stays countable, and open calls stay open', async () => {
  await migrateUpTo('0007_principals.sql')
  await client.query(`
    insert into tenants (id, name) values ('t', 'T');
    insert into teams (id, tenant_id, name, budget_pool_micros) values ('team', 't', 'Team', 1500000);
    insert into members (tenant_id, user_id, budget_cap_micros) values ('t', 'ann', 2500000), ('t', 'bob', null);
    insert into budgets (id, tenant_id, name, scope_type, scope_id, amount_micros, period) values
      ('small', 't', 'Small', 'tenant', 't', 1, 'total'), ('huge', 't', 'Huge', 'tenant', 't', 9000000000000000, 'daily');
    insert into budget_requests (id, tenant_id, budget_id, amount_micros, reason, status, granted_micros, granted_period, decided_at)
      select 'r' || i, 't', 'small', 1000000000000000, 'more', 'approved', 1000000000000000, '2026-01-01', now() + make_interval(secs => i)
      from generate_series(1, 10) as i;
    insert into spend_days values ('t', 'tenant', 't', '2026-11-01', 123456);
    insert into usage_hours (tenant_id, hour, key_id, user_id, team_id, provider, model, cost_micros)
      values ('t', '2026-11-01', 'k', '', '', 'openai', 'gpt-4o', 123456);
    insert into usage_minutes (tenant_id, minute, key_id, user_id, team_id, provider, model, cost_micros)
      values ('t', '2026-11-01', 'k', '', '', 'openai', 'gpt-4o', 123456);
    insert into open_calls (id, tenant_id, process_id, draft, accounts) values ('call', 't', 'gone', '{"id":"call","costMicros":7}', '[]')`)

  await migrate(url)

  expect(await rowsOf('select budget_pool_nanos::float8 as nanos from teams')).toEqual([
    { nanos: 1_500_000_000 },
  ])
  expect(
    await rowsOf('select user_id, budget_cap_nanos::float8 as nanos from members order by user_id'),
  ).toEqual([
    { user_id: 'ann', nanos: 2_500_000_000 },
    { user_id: 'bob', nanos: null },
  ])
  expect(await rowsOf('select id, amount_nanos::float8 as nanos from budgets order by id')).toEqual([
    { id: 'huge', nanos: 9e15 },
    { id: 'small', nanos: 1_000 },
  ])
  const [granted] = await rowsOf('select sum(granted_nanos)::float8 as nanos from budget_requests')
  expect(granted.nanos + 1_000).toBeLessThan(Number.MAX_SAFE_INTEGER)
  expect(granted.nanos).toBeGreaterThan(8.9e15)
  for (const table of ['spend_days', 'usage_hours', 'usage_minutes'])
    expect(await rowsOf(`select cost_nanos::float8 as nanos from ${table}`)).toEqual([{ nanos: 123_456_000 }])
  expect(await rowsOf('select id, draft from open_calls')).toEqual([
    { id: 'call', draft: '{"id":"call","costMicros":7}' },
  ])
  expect(await rowsOf('select limits::int from admission_generations')).toEqual([{ limits: 0 }])
  expect(
    await rowsOf('select subject, amount_nanos::float8 as nanos from spend_limits order by 1'),
  ).toHaveLength(4)
})

test('receipts from before there were members who see their own are found by whose call they were', async () => {
  await migrateUpTo('0011_models_of_held_answers.sql')
  const entries = [
    { key: 'key_1', kind: 'model', user: 'ann "the \\ first" é🍕', v: 2 },
    { key: 'key_1', kind: 'model', model: '"user":"bob","kind":"control"', v: 2 },
    { event: 'pack.activate', key: 'key_1', kind: 'control', user: 'ann', v: 2 },
    { key: 'key_2', kind: 'tool', upstreamId: '\u0000\ud800', v: 1 },
  ]
  for (const [i, entry] of entries.entries())
    await client.query(
      `insert into receipts (tenant_id, seq, request_id, ts, canonical, leaf_hash) values ('t', $1::int, 'req_' || $1::int, now(), $2, '')`,
      [i + 1, JSON.stringify(entry)],
    )

  await migrate(url)

  expect(await rowsOf('select receipt_owner(canonical) as owner from receipts order by seq')).toEqual([
    { owner: `user:${JSON.stringify(entries[0]?.user).slice(1, -1)}` },
    { owner: 'key:key_1' },
    { owner: null },
    { owner: 'key:key_2' },
  ])
})

test('usage that was counted before outcomes were stays, in the one spelling of its model', async () => {
  await migrateUpTo('0014_idempotent_answers.sql')
  await client.query(`
    insert into usage_hours (tenant_id, hour, key_id, user_id, team_id, provider, model, requests, cost_nanos, rate_limited, latency_buckets)
    values ('t', '2026-11-01', 'k', '', '', 'openai', 'gpt-4o', 2, 5, 1, '{0,2}'),
      ('t', '2026-11-01', 'k', '', '', 'openai', 'openai/gpt-4o', 3, 7, 0, '{1,1,1}'),
      ('t', '2026-11-01', 'k', '', '', 'openai', 'openai/other', 1, 1, 0, '{1}'),
      ('t', '2026-11-01', 'k', '', '', 'mock', 'mock/echo', 1, 1, 0, '{1}')`)

  await migrate(url)

  expect(
    await rowsOf(`select model, outcome, tags, requests::int, cost_nanos::int as nanos, rate_limited::int, latency_buckets
      from usage_hours order by model`),
  ).toEqual([
    {
      model: 'gpt-4o',
      outcome: '?',
      tags: {},
      requests: 5,
      nanos: 12,
      rate_limited: 1,
      latency_buckets: [1, 3, 1],
    },
    {
      model: 'mock/echo',
      outcome: '?',
      tags: {},
      requests: 1,
      nanos: 1,
      rate_limited: 0,
      latency_buckets: [1],
    },
    { model: 'other', outcome: '?', tags: {}, requests: 1, nanos: 1, rate_limited: 0, latency_buckets: [1] },
  ])
})
