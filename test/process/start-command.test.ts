import { existsSync } from 'node:fs'
import { appendFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Checkout, type NpmProcess, openCheckout } from '../harness/processes/checkout.js'
import { waitFor } from '../harness/run/wait.js'

// `npm start` as it is typed: npm, a shell, Node. One checkout, in order: the first start builds.

let checkout: Checkout
let running: NpmProcess | null = null

beforeAll(async () => {
  checkout = await openCheckout()
})
afterEach(async () => {
  if (running === null) return
  signal(-running.pid, 'SIGTERM')
  await running.exit
  running = null
})
afterAll(() => checkout.remove())

/** Resolves with the address once the service listens. */
async function start(env: Record<string, string> = {}): Promise<{ npm: NpmProcess; address: string }> {
  const npm = checkout.npm(['start'], {
    TALLYSTICK_PORT: '0',
    TALLYSTICK_LOG_LEVEL: 'warn',
    // As at a terminal.
    TALLYSTICK_LOG_FORMAT: 'pretty',
    ...env,
  })
  running = npm
  const ended = npm.exit.then((code) => {
    throw new Error(`npm ended with ${code} before the service listened:\n${npm.output()}`)
  })
  const listening = waitFor(
    'the service to listen',
    () => /listens on (http:\/\/\S+)/.exec(npm.output())?.[1],
  )
  const address = await Promise.race([listening, ended])
  ended.catch(() => undefined)
  return { npm, address }
}

/** False when there is no such process any more. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Postgres removes the file last of all. */
const isDatabaseRunning = () => existsSync(join(checkout.folder, '.tallystick', 'postgres', 'postmaster.pid'))

async function expectAllGone(address: string): Promise<void> {
  await expect(fetch(`${address}/healthz`)).rejects.toThrow('fetch failed')
  expect(isDatabaseRunning()).toBe(false)
}

describe('npm start', () => {
  test('builds and serves, and says in a line that it builds', async () => {
    const { npm, address } = await start()
    expect(npm.output().match(/^Building Tallystick … \d+\.\d s$/gm)).toHaveLength(1)
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    expect(await (await fetch(address)).text()).toContain('<div id="root">')
    // What builds it leaves no setting behind: the call that is printed can be made.
    expect(npm.output()).toContain('mock/echo')
  })

  test.each(['/bin/sh', '/bin/bash', '/bin/dash'].filter((shell) => existsSync(shell)))(
    'a SIGTERM to the npm process alone stops the service and its database, with %s between them',
    async (shell) => {
      const { npm, address } = await start({ npm_config_script_shell: shell })
      expect(npm.output()).not.toContain('Building')
      expect(isDatabaseRunning()).toBe(true)
      signal(npm.pid, 'SIGTERM')
      expect(await npm.exit).toBe(0)
      await expectAllGone(address)
    },
  )

  test('Ctrl-C, which npm passes on to the service that has it already, lets the service end well', async () => {
    const { npm, address } = await start()
    expect(isDatabaseRunning()).toBe(true)
    signal(-npm.pid, 'SIGINT')
    expect(await npm.exit).toBe(0)
    expect(npm.output().match(/SIGINT: no new calls/g)).toHaveLength(1)
    await expectAllGone(address)
  })
})

describe('npm run tallystick', () => {
  const runVersion = async () => {
    const npm = checkout.npm(['run', '--silent', 'tallystick', '--', '--version'])
    return { code: await npm.exit, output: npm.output() }
  }
  const builds = /^Building Tallystick … \d+\.\d s\n\d+\.\d+\.\d+\n$/
  const buildsNothing = /^\d+\.\d+\.\d+\n$/

  test('builds again when a source changed, and only then', async () => {
    expect(await runVersion()).toEqual({ code: 0, output: expect.stringMatching(buildsNothing) })
    await appendFile(join(checkout.folder, 'packages/service/src/main/index.ts'), '\n// changed\n')
    expect(await runVersion()).toEqual({ code: 0, output: expect.stringMatching(builds) })
    expect(await runVersion()).toEqual({ code: 0, output: expect.stringMatching(buildsNothing) })
  })

  test('builds again when a part of what was built is missing', async () => {
    await rename(join(checkout.folder, 'packages/service/dist/chunks'), join(checkout.folder, 'chunks'))
    expect(await runVersion()).toEqual({ code: 0, output: expect.stringMatching(builds) })
  })

  test('says what to do when the packages are not installed', async () => {
    await appendFile(join(checkout.folder, 'packages/service/src/main/index.ts'), '\n// changed again\n')
    await rename(join(checkout.folder, 'node_modules'), join(checkout.folder, 'elsewhere'))
    const { code, output } = await runVersion()
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/Packages are missing: run npm ci\n$/),
    })
  })
})
