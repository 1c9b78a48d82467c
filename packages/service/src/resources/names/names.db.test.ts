import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/service/database.js'
import { type Database, openDatabase } from '../../db/index.js'
import { forgetNames, type NamedType, namesAt } from './index.js'

let database: TestDatabase
let opened: Database
beforeAll(async () => {
  database = await createTestDatabase()
  opened = openDatabase(database.url, () => undefined)
  await database.query(`insert into tenants (id, name) values ('t', 't'), ('other', 'other')`)
  await database.query(
    `insert into teams (id, tenant_id, name, budget_pool_nanos) values ('team_1', 't', 'Search', 0)`,
  )
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

async function nameOf(type: NamedType, id: string, at: Date, tenantId = 't'): Promise<string | null> {
  const find = await namesAt(opened.db, tenantId, [{ type, id, at }])
  return find({ type, id, at })
}

const longAgo = new Date('2001-01-01')
const farAhead = new Date('2199-01-01')

test('a row is shown with the names of its time, also after they were changed', async () => {
  const [before] = await database.query<{ now: Date }>('select clock_timestamp() as now')
  await database.query(`update teams set name = 'Ads' where id = 'team_1'`)
  // Changes that leave the name as it is add nothing.
  await database.query(`update teams set budget_pool_nanos = 5, name = 'Ads' where id = 'team_1'`)
  expect(await nameOf('team', 'team_1', before?.now ?? longAgo)).toBe('Search')
  expect(await nameOf('team', 'team_1', farAhead)).toBe('Ads')
  expect(await database.query(`select name from names where id = 'team_1' order by since`)).toEqual([
    { name: 'Search' },
    { name: 'Ads' },
  ])
})

test('what is older than the first known name has that one; what is not known has none', async () => {
  expect(await nameOf('team', 'team_1', longAgo)).toBe('Search')
  expect(await nameOf('team', 'team_2', longAgo)).toBeNull()
  expect(await nameOf('team', 'team_1', longAgo, 'other')).toBeNull()
})

test('of two names in one transaction the last one holds', async () => {
  await database.query(`begin; update teams set name = 'One' where id = 'team_1';
    update teams set name = 'Two' where id = 'team_1'; commit`)
  expect(await nameOf('team', 'team_1', farAhead)).toBe('Two')
})

test('rows of one page have the names of their own times, also when an object got its old name back', async () => {
  await database.query(`insert into names (tenant_id, type, id, since, name)
    values ('t', 'key', 'key_old', '2020-01-01', 'One'), ('t', 'key', 'key_old', '2021-01-01', 'Two'), ('t', 'key', 'key_old', '2022-01-01', 'One')`)
  const times = ['2019-01-01', '2020-06-01', '2021-06-01', '2022-01-01', '2023-01-01'].map(
    (at) => new Date(at),
  )
  const wanted = times.map((at) => ({ type: 'key', id: 'key_old', at }) as const)
  const find = await namesAt(opened.db, 't', wanted)
  expect(wanted.map(find)).toEqual(['One', 'One', 'Two', 'One', 'One'])
})

test('an erased person has no name, and a later one does not reach back', async () => {
  await database.query(`insert into members (tenant_id, user_id, name) values ('t', 'u', 'Ann Example')`)
  await opened.db.transaction().execute((tx) => forgetNames(tx, 't', [{ type: 'user', id: 'u' }]))
  expect(await database.query(`select from names where name like 'Ann%'`)).toEqual([])
  const [erased] = await database.query<{ now: Date }>('select clock_timestamp() as now')
  await database.query(`update members set name = 'A.' where user_id = 'u'`)
  expect(await nameOf('user', 'u', erased?.now ?? farAhead)).toBeNull()
  expect(await nameOf('user', 'u', farAhead)).toBe('A.')
})

test('every kind of thing that has a name keeps it', async () => {
  await database.query(`insert into keys (id, tenant_id, name, hash, hint, created_by)
    values ('key_1', 't', 'Key', '\\x00', 'hint', 'test')`)
  await database.query(`insert into policies (id, tenant_id, name, kind, config, scope_type, scope_id, phase, action)
    values ('pol_1', 't', 'Policy', 'pii', '{}', 'tenant', 't', 'both', 'block')`)
  await database.query(`insert into budgets (id, tenant_id, name, scope_type, scope_id, amount_nanos, period)
    values ('bud_1', 't', 'Budget', 'tenant', 't', 0, 'daily')`)
  const wanted = [
    { type: 'key', id: 'key_1', at: farAhead },
    { type: 'policy', id: 'pol_1', at: farAhead },
    { type: 'budget', id: 'bud_1', at: longAgo },
  ] as const
  const find = await namesAt(opened.db, 't', wanted)
  expect(wanted.map(find)).toEqual(['Key', 'Policy', 'Budget'])
})
