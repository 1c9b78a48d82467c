import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createLedgerBench,
  type LedgerBench,
  newReceipt,
  type TestReceipt,
} from '../../../../../test/harness/record/ledger.js'
import { verifyRecord } from '../../../../../test/harness/record/record.js'
import { random } from '../../../../../test/harness/run/seed.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { type DatabaseProxy, startDatabaseProxy } from '../../../../../test/harness/service/database-proxy.js'
import type { Ledger } from './writer.js'

let bench: LedgerBench
let proxy: DatabaseProxy
let tenantId: string

beforeEach(async () => {
  bench = await createLedgerBench()
  proxy = await startDatabaseProxy(bench.database.url)
  tenantId = bench.tenantIds[0] ?? ''
})
afterEach(async () => {
  await proxy.close()
  await bench.close()
})

const openThroughProxy = (options: { answerTimeoutMs?: number } = {}) =>
  bench.open({ databaseUrl: proxy.url, ...options })
const back = (ledger: Ledger) => waitFor('the ledger to recover', () => ledger.available())
const inSpool = () => readdir(join(bench.dataDir, 'spool'))
const spooled = async () => (await inSpool()).filter((name) => name.endsWith('.spool'))

async function goAway(ledger: Ledger): Promise<void> {
  await proxy.cut()
  await waitFor('the ledger to notice', () => !ledger.available())
}

async function expectRecordOf(receipts: TestReceipt[]): Promise<void> {
  const { fault, sealed, entries } = await verifyRecord(bench.database, tenantId)
  expect(fault).toBeNull()
  expect(sealed).toBe(entries.length)
  expect(entries.map(({ id }) => id).sort()).toEqual(receipts.map(({ draft }) => draft.id).sort())
}

describe('while the database is away', () => {
  test('receipts wait on the disk, and are recorded when it is back', async () => {
    const ledger = await openThroughProxy()
    const receipts = [newReceipt(tenantId), newReceipt(tenantId), newReceipt(tenantId)]
    const [first, ...rest] = receipts as [TestReceipt, ...TestReceipt[]]
    expect(await ledger.append(first)).toEqual({ seq: 1 })
    await goAway(ledger)
    for (const receipt of rest) expect(await ledger.append(receipt)).toEqual({ seq: null })
    expect(await spooled()).toHaveLength(1)

    await proxy.restore()
    await back(ledger)
    await expectRecordOf(receipts)
    expect(await spooled()).toEqual([])
    expect(await ledger.append(newReceipt(tenantId))).toEqual({ seq: 4 })
  })

  test('closing does not wait for it, and the next start records what is left', async () => {
    const ledger = await openThroughProxy()
    await goAway(ledger)
    const receipt = newReceipt(tenantId)
    await ledger.append(receipt)
    await ledger.close()

    await bench.open()
    await expectRecordOf([receipt])
    expect(await spooled()).toEqual([])
  })

  test('a receipt that comes after closing is kept for the next start', async () => {
    const ledger = await openThroughProxy()
    await ledger.close()
    const late = newReceipt(tenantId)
    expect(await ledger.append(late)).toEqual({ seq: null })
    await bench.open()
    await expectRecordOf([late])
  })

  test('a spool that cannot be written is told to the caller; the receipt is recorded from memory', async () => {
    const ledger = await openThroughProxy()
    await goAway(ledger)
    await rm(join(bench.dataDir, 'spool'), { recursive: true })
    const receipt = newReceipt(tenantId)
    await expect(ledger.append(receipt)).rejects.toMatchObject({ type: 'unavailable' })
    await proxy.restore()
    await back(ledger)
    await expectRecordOf([receipt])
  })

  test('a receipt that the database will refuse does not keep the ledger from recovering', async () => {
    const ledger = await openThroughProxy()
    await goAway(ledger)
    const good = [newReceipt(tenantId), newReceipt(tenantId)]
    const poison = [newReceipt(tenantId, { model: '\0' }), newReceipt('nobody')]
    for (const receipt of [good[0], poison[0], poison[1], good[1]] as TestReceipt[])
      await ledger.append(receipt)
    await proxy.restore()
    await back(ledger)
    await expectRecordOf(good)
    const refused = await readFile(join(bench.dataDir, 'spool', 'refused.jsonl'), 'utf8')
    for (const { draft } of poison) expect(refused).toContain(draft.id)
  })

  test('a spool with a damaged line and a torn end gives back all the rest', async () => {
    const ledger = await openThroughProxy()
    await goAway(ledger)
    const receipts = [newReceipt(tenantId), newReceipt(tenantId)] as const
    await ledger.append(receipts[0])
    const [name = ''] = await spooled()
    const path = join(bench.dataDir, 'spool', name)
    await appendFile(path, 'not a receipt\n{"tenantId":7}\n')
    await ledger.append(receipts[1])
    await appendFile(path, (await readFile(path, 'utf8')).slice(0, 40))
    await ledger.close()

    await bench.open()
    await expectRecordOf([...receipts])
    expect(await readFile(join(bench.dataDir, 'spool', 'refused.jsonl'), 'utf8')).toBe(
      'not a receipt\n{"tenantId":7}\n',
    )
  })

  test('a replica that starts in the same folder takes nothing from one that still waits', async () => {
    const waiting = await openThroughProxy()
    await goAway(waiting)
    const receipts = Array.from({ length: 4 }, () => newReceipt(tenantId))
    const [first, second, third, fourth] = receipts as [TestReceipt, TestReceipt, TestReceipt, TestReceipt]
    await waiting.append(first)
    const starting = await bench.open()
    await expectRecordOf([first])
    await waiting.append(second)
    await starting.append(third)
    await waiting.append(fourth)
    expect(await spooled()).toHaveLength(1)

    // The first one never comes back: what it wrote after the other had taken its file must be found as well.
    await waiting.close()
    await bench.open()
    await expectRecordOf(receipts)
  })
})

describe('when a commit fails half-way', () => {
  for (const how of ['request', 'answer'] as const) {
    test(`a connection lost with the ${how} records each receipt once`, async () => {
      const ledger = await openThroughProxy()
      proxy.failNextCommit(how)
      const receipts = Array.from({ length: 20 }, () => newReceipt(tenantId))
      const appended = await Promise.all(receipts.map((receipt) => ledger.append(receipt)))
      expect(appended[0]).toEqual({ seq: null })
      await back(ledger)
      await expectRecordOf(receipts)
      expect(await inSpool()).toEqual([])
    })
  }

  test('a server that never learns that we are gone gives the head of the record free again', async () => {
    const ledger = await openThroughProxy({ answerTimeoutMs: 700 })
    proxy.failNextCommit('silence')
    const receipt = newReceipt(tenantId)
    expect(await ledger.append(receipt)).toEqual({ seq: null })
    await back(ledger)
    await expectRecordOf([receipt])
  })

  test('a crash between the replay and the removal of the spool records nothing twice', async () => {
    const ledger = await openThroughProxy()
    await goAway(ledger)
    const receipts = [newReceipt(tenantId), newReceipt(tenantId)] as const
    for (const receipt of receipts) await ledger.append(receipt)
    const [name = ''] = await spooled()
    const text = await readFile(join(bench.dataDir, 'spool', name), 'utf8')
    await proxy.restore()
    await back(ledger)
    await ledger.close()
    await writeFile(join(bench.dataDir, 'spool', name), text + text)

    await bench.open()
    await expectRecordOf([...receipts])
    expect(await inSpool()).toEqual([])
  })
})

describe('when the database hangs', () => {
  test('appends are answered from the spool in time, and what arrives late is not recorded twice', async () => {
    const ledger = await openThroughProxy({ answerTimeoutMs: 300 })
    const receipts = Array.from({ length: 10 }, () => newReceipt(tenantId))
    proxy.hang()
    const appended = await Promise.all(receipts.map((receipt) => ledger.append(receipt)))
    expect(appended.every(({ seq }) => seq === null)).toBe(true)
    expect(ledger.available()).toBe(false)

    await proxy.restore()
    await back(ledger)
    await expectRecordOf(receipts)
  })

  test('closing does not hang with it', async () => {
    const ledger = await openThroughProxy({ answerTimeoutMs: 300 })
    await ledger.append(newReceipt(tenantId))
    proxy.hang()
    await ledger.close()
  })

  test('closing does not wait for a connection that is being made', async () => {
    const ledger = await openThroughProxy({ answerTimeoutMs: 300 })
    proxy.hang()
    await ledger.append(newReceipt(tenantId))
    await waitFor('a second connection', () => proxy.connections() > 1)
    await ledger.close()
  })
})

describe('of several writers of one record', () => {
  /** What the server has last done for the writer behind the proxy. */
  const lastDone = async () => {
    const rows = await bench.database.query<{ query: string }>(
      `select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and query like '%record_heads%' and wait_event = 'ClientRead'`,
    )
    return rows.length > 0
  }

  test('one that is paused holds up nobody: it has locked nothing that it must come back for', async () => {
    const [paused, other] = [await openThroughProxy(), await bench.open()]
    proxy.holdAnswers()
    const receipt = newReceipt(tenantId)
    const appending = paused.append(receipt)
    await waitFor('the server to have answered', lastDone)
    const others = [newReceipt(tenantId), newReceipt(tenantId)]
    for (const [i, each] of others.entries()) expect(await other.append(each)).toEqual({ seq: i + 1 })
    await proxy.restore()
    expect(await appending).toEqual({ seq: 3 })
    await expectRecordOf([...others, receipt])
  })

  test('one that is paused in its turn is passed over', async () => {
    const ledger = await bench.open()
    await bench.database.query(
      `select from take_turns(array[$1], 'paused', interval '200 milliseconds', interval '0')`,
      [tenantId],
    )
    expect(await ledger.append(newReceipt(tenantId))).toEqual({ seq: 1 })
    expect(await bench.database.query('select turn_of from record_heads')).toEqual([{ turn_of: null }])
  })

  test('one far away gets its turn, however busy those are that are near', async () => {
    const far = await startDatabaseProxy(bench.database.url, { delayMs: 25 })
    try {
      const near = [await bench.open(), await bench.open()]
      const slow = await bench.open({ databaseUrl: far.url })
      const receipts: TestReceipt[] = []
      const append = async (ledger: Ledger) => {
        const receipt = newReceipt(tenantId)
        receipts.push(receipt)
        return await ledger.append(receipt)
      }
      let over = false
      const busy = near.map(async (ledger) => {
        while (!over) await Promise.all([append(ledger), append(ledger)])
      })
      for (let call = 0; call < 5; call++) expect((await append(slow)).seq).toBeGreaterThan(0)
      over = true
      await Promise.all(busy)
      await expectRecordOf(receipts)
    } finally {
      await far.close()
    }
  })
})

test('onRecorded hears of each receipt once, also when its group was taken apart and then lost', async () => {
  const told: string[] = []
  const ledger = await bench.open({
    databaseUrl: proxy.url,
    onRecorded(receipts) {
      told.push(...receipts.map(({ draft }) => draft.id))
      // The first half of a group that was taken apart is in the record: the second is lost on its way there.
      if (receipts.length === 4) proxy.failNextCommit('request')
    },
  })
  const receipts = Array.from({ length: 9 }, (_, i) => newReceipt(tenantId, i === 8 ? { model: '\0' } : {}))
  await Promise.allSettled(receipts.map((receipt) => ledger.append(receipt)))
  await back(ledger)
  const recorded = receipts.slice(0, 8)
  await expectRecordOf(recorded)
  expect(told.sort()).toEqual(recorded.map(({ draft }) => draft.id).sort())
})

test('whatever the connection does, each receipt that was answered is recorded once, and the chain holds', async () => {
  const ledgers = await Promise.all([openThroughProxy({ answerTimeoutMs: 400 }), bench.open()])
  const answered: TestReceipt[] = []
  let over = false
  // As the gateway does: a new call only while the ledger is available, its receipt a little later in any case.
  const callers = Array.from({ length: 10 }, async (_, caller) => {
    const ledger = ledgers[caller % 2]
    while (!over) {
      const admitted = ledger?.available()
      await pause(1 + random() * 10)
      if (!ledger || !admitted) continue
      const receipt = newReceipt(tenantId)
      await ledger.append(receipt)
      answered.push(receipt)
    }
  })
  for (const fault of ['answer', 'cut', 'request', 'answer', 'hang', 'cut', 'silence', 'answer'] as const) {
    if (fault === 'cut') await proxy.cut()
    else if (fault === 'hang') proxy.hang()
    else proxy.failNextCommit(fault)
    const [proxied] = ledgers
    await waitFor(`the ledger to notice: ${fault}`, () => !proxied.available())
    await proxy.restore()
    await back(proxied)
  }
  over = true
  await Promise.all(callers)
  await waitFor('the last receipts', async () => (await bench.countReceipts()) >= answered.length)
  await expectRecordOf(answered)
})
