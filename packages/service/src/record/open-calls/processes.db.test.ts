import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fillRecord } from '../../../../../test/harness/record/fill-record.js'
import { createLedgerBench, type LedgerBench, newReceipt } from '../../../../../test/harness/record/ledger.js'
import {
  hasOpenssl,
  startTimeStampAuthority,
  type TimeStampAuthority,
} from '../../../../../test/harness/record/time-stamp-authority.js'
import { inVainMs, waitFor } from '../../../../../test/harness/run/wait.js'
import { type Database, openDatabase } from '../../db/index.js'
import { createDailyAnchor } from '../anchor/daily-anchor.js'
import { listAnchors } from '../anchor/store.js'
import { recordInterrupted } from './interrupted.js'
import { closeCalls, createOpenCalls } from './open-calls.js'
import { markAllDead, registerProcess } from './processes.js'

let bench: LedgerBench
let database: Database
let tenantId: string

let errors: unknown[]
const onError = (error: unknown) => void errors.push(error)
const log = { debug: () => undefined, warn: () => undefined, error: () => undefined }

beforeEach(async () => {
  errors = []
  bench = await createLedgerBench()
  ;[tenantId = ''] = bench.tenantIds
  // The lock of the anchor is held without a word for as long as the authority takes.
  database = openDatabase(bench.database.url, () => undefined, { answerTimeoutMs: inVainMs })
})
afterEach(async () => {
  await database.close()
  await bench.close()
})

/** As a process leaves it that is killed in the middle of a call. */
async function leaveOpenCall(processId: string): Promise<string> {
  const receipt = newReceipt(tenantId, { outcome: 'interrupted', status: 500 })
  const openCalls = await createOpenCalls({ databaseUrl: bench.database.url, processId, log })
  await openCalls.open({ receipt, generation: null, limitsVersion: 0 })
  await openCalls.close()
  return receipt.draft.id
}

describe.skipIf(!hasOpenssl)('while a slow time-stamp authority is asked', () => {
  let authority: TimeStampAuthority
  beforeEach(async () => {
    authority = await startTimeStampAuthority()
    // However long it takes: it is not given up.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await authority.close()
  })

  test('the open calls of a dead process are recorded', async () => {
    await fillRecord({ database: bench.database, dataDir: bench.dataDir, tenantId, groups: [2] })
    const callId = await leaveOpenCall('proc_dead')
    const resume = authority.pause()
    const { db } = database
    // Not tomorrow: for the first minutes of a day, the day before is not over yet.
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000)
    const target = { type: 'rfc3161' as const, url: authority.url }
    const anchor = createDailyAnchor({ db, target, now: () => inTwoDays, onError })
    await waitFor('the request', () => authority.asked() === 1)

    const ledger = await bench.open({ projections: [closeCalls] })
    const processes = await registerProcess({
      db,
      processId: 'proc_alive',
      isOnlyProcess: true,
      onAbsent: async () => undefined,
      recover: async (deadId) => (await recordInterrupted(db, ledger, deadId)).left === 0,
      onError,
    })
    const { query } = bench.database
    expect(await query(`select seq from receipts where request_id = $1`, [callId])).toHaveLength(1)
    expect(await query('select id from open_calls')).toEqual([])
    expect(await listAnchors(db, tenantId, { after: null, limit: 10 })).toEqual([])

    resume()
    await anchor.close()
    expect(await listAnchors(db, tenantId, { after: null, limit: 10 })).toHaveLength(1)
    await processes.close()
    expect(errors).toEqual([])
  })
})

test('processes that a supervisor marks as dead are recovered by its first worker, without waiting for heartbeats', async () => {
  const { db } = database
  const listed = await leaveOpenCall('proc_listed')
  await bench.database.query("insert into processes (id) values ('proc_listed'), ('proc_idle')")
  const unlisted = await leaveOpenCall('proc_unlisted')
  const ledger = await bench.open({ projections: [closeCalls] })
  const register = () =>
    registerProcess({
      db,
      processId: 'proc_worker',
      isOnlyProcess: false,
      onAbsent: async () => undefined,
      recover: async (deadId) => (await recordInterrupted(db, ledger, deadId)).left === 0,
      onError,
    })
  const { query } = bench.database
  const recorded = 'select request_id as id from receipts where request_id = any($1) order by seq'

  // Without a mark they may be alive.
  await (await register()).close()
  expect(await query(recorded, [[listed, unlisted]])).toEqual([])

  await markAllDead(db)
  const processes = await register()
  expect((await query<{ id: string }>(recorded, [[listed, unlisted]])).map(({ id }) => id).sort()).toEqual(
    [listed, unlisted].sort(),
  )
  expect(await query('select id from processes')).toEqual([{ id: 'proc_worker' }])
  await processes.close()
  expect(errors).toEqual([])
})

test('calls of a process that the database no longer knows are recorded if it sends no heartbeat', async () => {
  const { db } = database
  const ledger = await bench.open({ projections: [closeCalls] })
  const register = (processId: string) =>
    registerProcess({
      ...{ db, processId, onError, heartbeatMs: 300 },
      isOnlyProcess: false,
      onAbsent: async () => undefined,
      recover: async (deadId) => (await recordInterrupted(db, ledger, deadId)).left === 0,
    })
  const alive = await register('proc_alive')
  const ofAlive = await leaveOpenCall('proc_alive')
  const watching = await register('proc_watching')
  const { query } = bench.database
  await query("delete from processes where id = 'proc_alive'")
  const ofLost = await leaveOpenCall('proc_lost')

  const readOpen = async () => (await query<{ id: string }>('select id from open_calls')).map(({ id }) => id)
  await waitFor(
    'the call of the lost process to be recorded',
    async () => !(await readOpen()).includes(ofLost),
  )
  expect(await query('select seq from receipts where request_id = $1', [ofLost])).toHaveLength(1)
  expect(await readOpen()).toEqual([ofAlive])
  await alive.close()
  await watching.close()
  expect(errors).toEqual([])
})
