import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CountQueue, createCountQueue } from './count-queue.js'

let folder: string
let degraded: string[]
const queues: CountQueue[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'count-queue-'))
  degraded = []
})
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.close()))
  rmSync(folder, { recursive: true })
})

function queueWith(workerSource: string): CountQueue {
  const imports = `import { parentPort } from 'node:worker_threads'; import { existsSync, writeFileSync } from 'node:fs';`
  const workerUrl = new URL(`data:text/javascript,${encodeURIComponent(imports + workerSource)}`)
  const queue = createCountQueue({ workerUrl, onDegraded: (reason) => degraded.push(reason) })
  queues.push(queue)
  return queue
}

const countCharacters = `parentPort.on('message', ({ texts }) => {
  parentPort.postMessage(texts.map(({ length }) => ({ estimate: length, bound: length })));
});`
const exactly = (tokens: number) => ({ estimate: tokens, bound: tokens })

describe('the count queue', () => {
  it('starts a new thread when one dies, and counts again what that one had in hand', async () => {
    const marker = JSON.stringify(join(folder, 'died-once'))
    const queue = queueWith(`
      if (existsSync(${marker})) { ${countCharacters} }
      else parentPort.on('message', () => { writeFileSync(${marker}, ''); process.exit(3) });
    `)
    expect(await queue.count(['four', 'letters'], 'o200k')).toEqual([exactly(4), exactly(7)])
    expect(degraded).toEqual([])
  })

  it('does not count a text that keeps killing the thread, and goes on with the next', async () => {
    const queue = queueWith(`
      parentPort.on('message', ({ texts }) => {
        if (texts[0].startsWith('poison')) throw new Error('cannot digest this');
        parentPort.postMessage([{ estimate: 1, bound: 1 }]);
      });
    `)
    const answers = await Promise.all([queue.count(['poison é'], 'o200k'), queue.count(['fine'], 'o200k')])
    expect(answers).toEqual([null, [exactly(1)]])
    expect(degraded).toEqual(['the token-counting thread crashed: cannot digest this'])
  })

  it('counts nothing when there is no thread to be had', async () => {
    const workerUrl = new URL('./no-such-worker.mjs', import.meta.url)
    const queue = createCountQueue({ workerUrl, onDegraded: (reason) => degraded.push(reason) })
    queues.push(queue)
    expect(await queue.count(['abc'], 'o200k')).toBeNull()
    expect(degraded).toHaveLength(1)
  })

  it('lets a short text overtake a long one', async () => {
    const queue = queueWith(countCharacters)
    const finished: string[] = []
    const long = queue
      .count(['x'.repeat(1_000_000)], 'o200k')
      .then((counts) => finished.push(`long ${counts?.[0]?.bound}`))
    const short = queue.count(['abc'], 'o200k').then((counts) => finished.push(`short ${counts?.[0]?.bound}`))
    await Promise.all([long, short])
    expect(finished).toEqual(['short 3', 'long 1000000'])
  })

  it('counts nothing when too many are waiting', async () => {
    const queue = queueWith('parentPort.on("message", () => {});')
    const waiting = Array.from({ length: 257 }, () => queue.count(['waiting'], 'bytes'))
    expect(await queue.count(['é'], 'bytes')).toBeNull()
    expect(degraded).toEqual(['256 texts are waiting to be counted'])
    await queue.close()
    for (const answer of await Promise.all(waiting)) expect(answer).toBeNull()
  })
})
