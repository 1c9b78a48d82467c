import { afterEach, expect, test } from 'vitest'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { createWorkerPool, type WorkerPool } from './worker-pool.js'

/** A thread that does as it is told. */
const obedient = `
  import { parentPort, threadId } from 'node:worker_threads'
  parentPort.on('message', ({ die, fail, block }) => {
    if (die) process.exit(3)
    if (fail) return parentPort.postMessage({ error: { message: 'failed as told', code: 'ECONNREFUSED' } })
    if (block) Atomics.wait(new Int32Array(block), 0, 0)
    parentPort.postMessage({ report: threadId })
  })`

interface Task {
  die?: boolean
  fail?: boolean
  block?: SharedArrayBuffer
}

const pools: WorkerPool<Task, number>[] = []
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())))

function createPool(maxThreads: number, idleMs = 60_000): WorkerPool<Task, number> {
  const workerUrl = new URL(`data:text/javascript,${encodeURIComponent(obedient)}`)
  const pool = createWorkerPool<Task, number>({ workerUrl, workerData: {}, maxThreads, idleMs })
  pools.push(pool)
  return pool
}

/** What a thread waits at, until the test opens it. */
function createGate() {
  const block = new SharedArrayBuffer(4)
  return {
    task: { block },
    open() {
      Atomics.store(new Int32Array(block), 0, 1)
      Atomics.notify(new Int32Array(block), 0)
    },
  }
}

test('tasks run side by side, in as many threads as are allowed and no more', async () => {
  const pool = createPool(2)
  const [first, second] = [createGate(), createGate()]
  const held = [pool.run(first.task), pool.run(second.task)]
  const waiting = pool.run({})
  second.open()
  // The thread that became free takes the one that waited.
  expect(await waiting).toBe(await held[1])
  first.open()
  expect(new Set(await Promise.all(held)).size).toBe(2)
})

test('a thread that dies fails its own task, and the next task gets a new one', async () => {
  const pool = createPool(1)
  const [dead, alive] = [pool.run({ die: true }), pool.run({})]
  await expect(dead).rejects.toThrow('exited with code 3 during a task')
  expect(await alive).toBeGreaterThan(0)
})

test('a task that fails says why, with the code that tells what to do about it', async () => {
  const pool = createPool(1)
  await expect(pool.run({ fail: true })).rejects.toMatchObject({
    message: 'failed as told',
    code: 'ECONNREFUSED',
  })
  expect(await pool.run({})).toBeGreaterThan(0)
})

test('threads end when there has been nothing to do for a while', async () => {
  const pool = createPool(1, 1)
  const first = await pool.run({})
  await waitFor('another thread', async () => (await pool.run({})) !== first)
})

test('closing ends the threads and fails what waits', async () => {
  const pool = createPool(1)
  const running = pool.run(createGate().task)
  const waiting = pool.run({})
  const ended = Promise.allSettled([running, waiting])
  await pool.close()
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(pool.run({})).rejects.toThrow('are closed')
})
