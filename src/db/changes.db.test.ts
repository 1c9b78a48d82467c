import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.js'
import { aSecondMs, waitFor } from '../../test/harness/wait.js'
import { type Change, type Changes, listenForChanges } from './changes.js'

let database: TestDatabase
let changes: Changes
let heard: Change[]
let gaps: number

beforeEach(async () => {
  database = await createTestDatabase()
  changes = await listenForChanges(database.url, () => undefined)
  heard = []
  gaps = 0
  changes.subscribe({
    onChange: (change) => heard.push(change),
    onGap: () => {
      gaps++
    },
  })
})
afterEach(async () => {
  await changes.close()
  await database.drop()
})

async function findListener(): Promise<number | undefined> {
  const rows = await database.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'tallystick changes'`,
  )
  return rows[0]?.pid
}

/** Not 0: a signal to that process goes to all of a group, this one among them. */
async function listenerPid(): Promise<number> {
  return await waitFor('the listener', findListener)
}

const announce = (tenantId: string) =>
  database.query('select pg_notify($1, $2)', ['tallystick_changes', `keys:${tenantId}`])

test('a change is heard with its table and tenant', async () => {
  await announce('tenant_1')
  await waitFor('the change', () => heard.length === 1)
  expect(heard).toEqual([{ table: 'keys', tenantId: 'tenant_1' }])
  expect(changes.connected()).toBe(true)
})

test('a connection that is cut is known as lost, comes back by itself, and reports the gap', async () => {
  await database.query('select pg_terminate_backend($1)', [await listenerPid()])
  await waitFor('the loss', () => !changes.connected(), aSecondMs)
  await announce('tenant_missed')
  await waitFor('the return', () => changes.connected())
  expect(gaps).toBe(1)
  await announce('tenant_2')
  await waitFor('the change', () => heard.some((change) => change.tenantId === 'tenant_2'))
})

test('a connection that falls silent without a word is not trusted for as long as a second', async () => {
  const pid = await listenerPid()
  process.kill(pid, 'SIGSTOP')
  try {
    await waitFor('the loss', () => !changes.connected(), aSecondMs)
    await waitFor('the return', () => changes.connected())
    expect(gaps).toBe(1)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
})

test('closing ends it, also while the connection is down', async () => {
  await database.query('select pg_terminate_backend($1)', [await listenerPid()])
  await waitFor('the loss', () => !changes.connected())
  await changes.close()
  expect(await findListener()).toBeUndefined()
})
