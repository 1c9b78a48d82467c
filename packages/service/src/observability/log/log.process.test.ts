import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from '../../../../../test/harness/run/wait.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
// Within the repository, where the packages are found.
let folder: string
beforeAll(async () => {
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache', 'log-'))
  const entry = fileURLToPath(new URL('log.ts', import.meta.url))
  const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const
  await build({ ...options, entryPoints: [entry], outfile: join(folder, 'log.mjs') })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program of its own, with a log on this descriptor. */
const start = (script: string, stdout: number) =>
  spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { createLog } from ${JSON.stringify(join(folder, 'log.mjs'))}
       const log = createLog({ level: 'info', format: 'json' })
       ${script}`,
    ],
    { cwd: root, stdio: ['ignore', stdout, 'ignore', 'ipc'] },
  )

const parse = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

describe('nothing is lost when the process ends', () => {
  const twenty = `for (let calls = 0; calls < 20; calls++) log.general.info({ calls }, 'line ' + 'abcdefghijklmnopqrst'[calls])`
  test.concurrent.each([
    ['by itself', '', 0, 20],
    ['by process.exit', 'process.exit(3)', 3, 20],
    [
      'by a signal',
      `process.once('SIGTERM', () => process.exit(0)); process.kill(process.pid, 'SIGTERM'); setInterval(() => undefined, 1000)`,
      0,
      20,
    ],
    ['by an error that nobody caught', `throw new Error('a bug')`, 1, 21],
    ['by a promise that nobody caught', `Promise.reject(new Error('a bug'))`, 1, 21],
  ])('%s', async (name, ending, code, count) => {
    const path = join(folder, name)
    const file = openSync(path, 'w')
    const child = start(`${twenty}; ${ending}`, file)
    const [exitCode] = await once(child, 'exit')
    closeSync(file)
    const lines = parse(readFileSync(path, 'utf8'))
    expect([exitCode, lines.length]).toEqual([code, count])
    expect(lines.slice(0, 20).map(({ calls }) => calls)).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    )
    if (count === 21) expect(lines.at(-1)).toMatchObject({ level: 'fatal', err: { message: 'a bug' } })
  })
})

test('a reader that has stopped does not stop the program; lost lines are counted', async () => {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writing = openSync(path, 'w')
  const child = start(
    `
    const stages = Array.from({ length: 40 }, (_, index) => ({ name: 'stage' + index, beginMs: 0, endMs: 1234.567 }))
    const summary = { error: null, doubt: null, outcome: 'ok', status: 200, requestId: '', stream: false, attempts: 1, inputTokens: 1, outputTokens: 1, cachedTokens: 0, costNanos: 1, stages }
    for (const name of ['receipt', 'tenant', 'key', 'user', 'team', 'session', 'tags', 'endpoint', 'model', 'provider', 'upstream', 'tool', 'upstreamStatus', 'usage', 'latencyMs', 'firstByteMs', 'traceId']) summary[name] = null
    for (let round = 0; round < 40; round++) {
      for (let line = 0; line < 500; line++) log.call({ ...summary, receipt: round * 500 + line })
      await new Promise((resolve) => setImmediate(resolve))
    }
    process.send('written')
    process.once('message', () => {
      log.general.warn('after')
      process.disconnect()
    })
  `,
    writing,
  )
  closeSync(writing)
  // Nobody reads the pipe, which takes 64 KiB: some 20 MB were written all the same.
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  expect(message).toBe('written')
  let text = ''
  const pipe = new Socket({ fd: reading, readable: true, writable: false })
  const ended = once(pipe, 'end')
  pipe.on('data', (chunk) => {
    text += chunk
  })
  await waitFor('what was waiting', () => text.includes('"lost":'))
  child.send('go on')
  await ended
  const lines = parse(text)
  const lost = lines.reduce((sum, line) => sum + Number(line.lost ?? 0), 0)
  expect(lost).toBeGreaterThan(1_000)
  expect(lines.filter(({ receipt }) => receipt !== undefined).length + lost).toBe(20_000)
  expect(lines.at(-1)).toMatchObject({ msg: 'after' })
})
