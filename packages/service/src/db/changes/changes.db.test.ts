import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aSecondMs, waitFor } from '../../../../../test/harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/service/database.js'
import { type Change, type Changes, listenForChanges } from './changes.js'

let database: TestDatabase
let changes: Changes
let heard: Change[]
let gaps: number
/** For each loss, whether it still counted as connected then. */
let losses: boolean[]

beforeEach(async () => {
  database = await createTestDatabase()
  losses = []
  changes = await listenForChanges(database.url, (message) => {
    if (message.startsWith('lost')) losses.push(changes.connected())
  })
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
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'tallystick changes'
     order by backend_start desc`,
  )
  return rows[0]?.pid
}

/** Not 0: a signal to that process goes to all of a group, this one among them. */
async function listenerPid(): Promise<number> {
  return await waitFor('the listener', findListener)
}

const announce = (tenantId: string) =>
  database.query('select pg_notify($1, $2)', ['tallystick_changes', `keys:${tenantId}`])

/** Once more after each gap: a server that is slow for half a second is one that was lost. */
async function announceUntilHeard(tenantId: string): Promise<void> {
  let gapsBefore = -1
  await waitFor('the change', async () => {
    if (changes.connected() && gaps > gapsBefore) {
      gapsBefore = gaps
      await announce(tenantId)
    }
    return heard.some((change) => change.tenantId === tenantId)
  })
}

/** Not asked of `connected()`: it may be back before anybody has looked. */
async function expectLossAndReturn(): Promise<void> {
  await waitFor('the loss', () => losses.length > 0, aSecondMs)
  await waitFor('the return', () => changes.connected())
  expect(gaps).toBe(losses.length)
  expect(losses).not.toContain(true)
}

test('a change is heard with its table and tenant', async () => {
  await announceUntilHeard('tenant_1')
  expect(heard[0]).toEqual({ table: 'keys', tenantId: 'tenant_1' })
  await waitFor('the connection', () => changes.connected())
})

test('a connection that is cut is known as lost, comes back by itself, and reports the gap', async () => {
  await database.query('select pg_terminate_backend($1)', [await listenerPid()])
  await expectLossAndReturn()
  await announceUntilHeard('tenant_2')
})

test('a connection that falls silent without a word is not trusted for as long as a second', async () => {
  const pid = await listenerPid()
  process.kill(pid, 'SIGSTOP')
  try {
    await expectLossAndReturn()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
})

test('closing ends it, also while the connection is down', async () => {
  const pid = await listenerPid()
  await database.query('select pg_terminate_backend($1)', [pid])
  await waitFor('the loss', () => losses.length > 0)
  await changes.close()
  // The server says that it ends a session before it has ended it.
  await waitFor('its end', async () => (await findListener()) !== pid)
  expect(await findListener()).toBeUndefined()
})

test('a connection that nobody has asked about for a while is checked before it is trusted again', async () => {
  // A slow machine checks less often, and needs more time to find that nobody asked.
  for (let ms = 6_000; changes.connected(); ms *= 2) await pause(ms)
  expect(changes.connected()).toBe(false)
  await waitFor('the check', () => changes.connected())
  expect(losses).toEqual([])
})
