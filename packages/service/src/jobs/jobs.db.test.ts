import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { waitFor } from '../../../../test/harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/service/database.js'
import { type Db, listenForChanges, openDatabase } from '../db/index.js'
import { type Job, JobFailedError, type JobKind, LeaseLostError } from './job.js'
import { pruneJobs } from './prune.js'
import { cancelJobs, enqueueJob, wakeJobs } from './queue.js'
import { startJobWorker } from './worker.js'

let database: TestDatabase
let db: Db
let closing: (() => Promise<unknown>)[]

beforeEach(async () => {
  database = await createTestDatabase()
  const opened = openDatabase(database.url, () => undefined)
  db = opened.db
  closing = [opened.close]
  for (const tenant of ['acme', 'zeta'])
    await database.query(`insert into tenants (id, name) values ($1, $1)`, [tenant])
})
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  await database.drop()
})

const kindOf = (run: JobKind['run'], changes: Partial<JobKind> = {}): JobKind => ({
  ...{ name: 'work', concurrency: 1, leaseEnds: 'by-time', maxAttempts: 3, run },
  backoff: { baseMs: 10, capMs: 20 },
  onError: () => undefined,
  ...changes,
})

async function startWorker(kind: JobKind, processId = 'proc_1') {
  const changes = await listenForChanges(database.url, () => undefined)
  closing.push(changes.close)
  const worker = startJobWorker({ db, changes, processId, kinds: [kind], onError: () => undefined })
  closing.push(worker.close)
  return worker
}

const add = (id: string, rest: { tenantId?: string; group?: string; afterMs?: number } = {}) =>
  enqueueJob(db, { id, kind: 'work', tenantId: 'acme', ...rest })

const read = async (id: string) =>
  (await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()) ?? null

const readState = async (id: string) => (await read(id))?.state

const inState = (id: string, state: string) =>
  waitFor(`${id} to be ${state}`, async () => (await readState(id)) === state)

/** Runs jobs until it is told to end, so that a test can look at them while they run. */
function hold() {
  const held: { job: Job; signal: AbortSignal; end(): void }[] = []
  const run = (job: Job, signal: AbortSignal) =>
    new Promise<undefined>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      held.push({ job, signal, end: () => resolve(undefined) })
    })
  return { held, run, ids: () => held.map(({ job }) => job.id) }
}

describe('a job', () => {
  test('is there when the transaction that adds it commits, and not when that is rolled back', async () => {
    const ran: string[] = []
    await startWorker(kindOf(async ({ id }) => void ran.push(id)))
    const rolledBack = db.transaction().execute(async (tx) => {
      await enqueueJob(tx, { id: 'lost', kind: 'work', tenantId: 'acme' })
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    await add('kept')
    await inState('kept', 'done')
    expect(ran).toEqual(['kept'])
  })

  test('runs once, however many workers claim at the same time', async () => {
    const ran: string[] = []
    const kind = kindOf(async ({ id }) => void ran.push(id), { concurrency: 4 })
    for (const processId of ['proc_1', 'proc_2', 'proc_3']) await startWorker(kind, processId)
    const ids = Array.from({ length: 50 }, (_, n) => `job_${n}`)
    await Promise.all(ids.map((id) => add(id)))
    await waitFor('all to run', async () => ran.length >= ids.length)
    for (const id of ids) await inState(id, 'done')
    expect(ran.toSorted()).toEqual(ids.toSorted())
  })

  test('does not run before its time', async () => {
    const ran: string[] = []
    await startWorker(kindOf(async ({ id }) => void ran.push(id)))
    await add('later', { afterMs: 3_600_000 })
    await add('now')
    await inState('now', 'done')
    expect(ran).toEqual(['now'])
  })

  test('that fails is tried again, and given up after as many attempts as it has', async () => {
    const attempts: number[] = []
    const dead: string[] = []
    await startWorker(
      kindOf(
        async (job) => {
          attempts.push(job.attempts)
          throw new Error(`no ${job.attempts}`)
        },
        { onDead: async ({ id }, reason) => void dead.push(`${id}: ${reason}`) },
      ),
    )
    await add('bad')
    await inState('bad', 'dead')
    expect(attempts).toEqual([1, 2, 3])
    expect(dead).toEqual(['bad: It was begun 3 times and got no further; the log of the service says why'])
  })

  test('that cannot succeed is given up at once, with its reason', async () => {
    await startWorker(kindOf(() => Promise.reject(new JobFailedError('The seal is gone'))))
    await add('hopeless')
    await inState('hopeless', 'dead')
    expect(await read('hopeless')).toMatchObject({ attempts: 1, last_error: 'The seal is gone' })
  })

  test('that asks for another turn gets it, and has failed nothing', async () => {
    const attempts: number[] = []
    await startWorker(
      kindOf(async (job) => {
        attempts.push(job.attempts)
        return attempts.length < 5 ? { againAfterMs: 0 } : undefined
      }),
    )
    await add('long')
    await inState('long', 'done')
    expect(attempts).toEqual([1, 1, 1, 1, 1])
  })

  test('that is woken while it runs, runs again', async () => {
    const { held, run } = hold()
    await startWorker(kindOf(async (job, signal) => (await run(job, signal)) ?? { againAfterMs: 3_600_000 }))
    await add('watched')
    await waitFor('the first run', async () => held.length === 1)
    await wakeJobs(sql`'watched'`).execute(db)
    held[0]?.end()
    await waitFor('the second run', async () => held.length === 2)
    held[1]?.end()
    await waitFor('it to wait', async () => (await read('watched'))?.leased_by === null)
    expect(held).toHaveLength(2)
  })

  test('that is cancelled while it runs ends, and nothing of it is written any more', async () => {
    const { held, run } = hold()
    await startWorker(kindOf(run))
    await add('unwanted')
    await waitFor('it to run', async () => held.length === 1)
    await cancelJobs(sql`'unwanted'`).execute(db)
    await waitFor('the signal', async () => held[0]?.signal.aborted)
    expect(held[0]?.signal.reason).toBeInstanceOf(LeaseLostError)
    expect(await read('unwanted')).toMatchObject({ state: 'done', last_error: null })
  })
})

describe('a lease', () => {
  test('that ends by time is lost by a process that does not renew it: another works on the job, and the first is told', async () => {
    const [first, second] = [hold(), hold()]
    await startWorker(kindOf(first.run), 'proc_1')
    await add('paused')
    await waitFor('it to run', async () => first.held.length === 1)
    await startWorker(kindOf(second.run), 'proc_2')
    // As it is after a pause that was longer than the lease.
    await database.query(`update jobs set leased_until = now() - interval '1 second'`)
    await waitFor('the other to have it', async () =>
      // Until then the first may renew it once more.
      second.held.length > 0
        ? true
        : void (await database.query(`update jobs set leased_until = now() where leased_by = 'proc_1'`)),
    )
    await waitFor('the first to be told', async () => first.held[0]?.signal.aborted)
    expect(first.held[0]?.signal.reason).toBeInstanceOf(LeaseLostError)
    expect((await read('paused'))?.leased_by).toBe('proc_2')
    second.held[0]?.end()
    await inState('paused', 'done')
  })

  test('that ends with its process is nobody else’s before the process is gone', async () => {
    const [first, second] = [hold(), hold()]
    const kind = (run: JobKind['run']) => kindOf(run, { leaseEnds: 'with-process' })
    await database.query(`insert into processes (id) values ('proc_1'), ('proc_2')`)
    await startWorker(kind(first.run), 'proc_1')
    await add('once')
    await waitFor('it to run', async () => first.held.length === 1)
    const other = await startWorker(kind(second.run), 'proc_2')
    other.wake()
    await add('next')
    await waitFor('the other to work', async () => second.held.length === 1)
    expect(second.ids()).toEqual(['next'])
    await database.query(`delete from processes where id = 'proc_1'`)
    second.held[0]?.end()
    await waitFor('the other to have it', async () => second.held.length === 2)
    expect(second.ids()).toEqual(['next', 'once'])
  })

  test('whose end could not be written, since the database was away, is taken again by its own process', async () => {
    await database.query(`insert into processes (id) values ('proc_1')`)
    await add('stuck')
    await database.query(`update jobs set leased_by = 'proc_1', leased_until = 'infinity', lease_number = 1`)
    await startWorker(
      kindOf(async () => undefined, { leaseEnds: 'with-process' }),
      'proc_1',
    )
    await inState('stuck', 'done')
  })

  test('is given back by a worker that is closed, which is no attempt', async () => {
    const { held, run } = hold()
    const worker = await startWorker(kindOf(run))
    await add('moved')
    await waitFor('it to run', async () => held.length === 1)
    await worker.close()
    expect(await read('moved')).toMatchObject({ state: 'open', leased_by: null, attempts: 0 })
  })
})

describe('jobs', () => {
  test('of a group run one at a time, in their order, on any number of workers', async () => {
    const events: string[] = []
    const kind = kindOf(
      async ({ id }) => {
        events.push(`begin ${id}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
        events.push(`end ${id}`)
        return undefined
      },
      { concurrency: 4 },
    )
    const ids = Array.from({ length: 8 }, (_, n) => `job_${n}`)
    for (const id of ids) await add(id, { group: 'ada' })
    for (const processId of ['proc_1', 'proc_2', 'proc_3']) await startWorker(kind, processId)
    for (const id of ids) await inState(id, 'done')
    expect(events).toEqual(ids.flatMap((id) => [`begin ${id}`, `end ${id}`]))
  })

  test('of several tenants take turns', async () => {
    const ran: string[] = []
    for (const n of [1, 2, 3]) await add(`acme_${n}`)
    for (const n of [1, 2]) await add(`zeta_${n}`, { tenantId: 'zeta' })
    await startWorker(kindOf(async ({ id }) => void ran.push(id)))
    await waitFor('all to run', async () => ran.length === 5)
    expect(ran.map((id) => id.slice(0, 4))).toEqual(['acme', 'zeta', 'acme', 'zeta', 'acme'])
  })

  test('that have ended are removed after their time, and open ones never', async () => {
    for (const id of ['open', 'new', 'old', 'buried', 'long_buried']) await add(id, { afterMs: 3_600_000 })
    await database.query(`
      update jobs set
        state = case when id like '%buried' then 'dead' when id = 'open' then 'open' else 'done' end,
        created_at = now() - interval '1 year',
        ended_at = now() - case id when 'new' then interval '1 hour' when 'long_buried' then interval '31 days'
          else interval '25 hours' end`)
    await pruneJobs(db)
    const rows = await db.selectFrom('jobs').select('id').orderBy('id').execute()
    expect(rows.map(({ id }) => id)).toEqual(['buried', 'new', 'open'])
  })
})
