import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openFolder } from './folder.mjs'
import { end, startServer } from './processes.mjs'

/**
 * @typedef {{ name?: string, program?: string, args?: string[], env?: Record<string, string> }} Variant
 * @typedef {import('./contenders.mjs').Contender & { pid: number, dataDir: string, countReceipts(): Promise<number>,
 *   manage(path: string, body: object, method?: string): Promise<any> }} Service
 */

const builtProgram = fileURLToPath(new URL('../packages/service/dist/cli/index.js', import.meta.url))

/**
 * The service as it ships, on its embedded database in a folder that goes away with the run. Everything a call can
 * meet is on: the key has both rate limits, far above what a run sends, and each answer waits for its receipt.
 * @param {string} upstream @param {import('./processes.mjs').Cleanup} cleanup
 * @param {Variant} [variant] @returns {Promise<Omit<Service, 'headers'> & { headers: Record<string, string> }>}
 */
export async function startService(upstream, cleanup, variant = {}) {
  const { name = 'tallystick', program = builtProgram, args = [], env = {} } = variant
  const folder = await openFolder(cleanup)
  const dataDir = join(folder, 'data')
  const managerKey = `tallystick_sk_${randomBytes(20).toString('hex')}`
  const { child, address } = startServer({
    name: 'the service',
    args: [program, 'serve', ...args],
    env: {
      TALLYSTICK_PORT: '0',
      TALLYSTICK_DATA_DIR: dataDir,
      TALLYSTICK_LOG_LEVEL: 'warn',
      TALLYSTICK_BOOTSTRAP_KEY: managerKey,
      OPENAI_BASE_URL: `${upstream}/v1`,
      OPENAI_API_KEY: 'sk-bench',
      ...env,
    },
    listening: /listens on (http:\/\/\S+)/,
  })
  cleanup.add(async () => {
    // Ended while it starts, it would leave a database server behind that nobody has heard of yet.
    await address.catch(() => undefined)
    await end(child)
    await endDatabase(dataDir)
  })
  const url = await address
  const { key } = await manage(url, managerKey, '/v1/keys', benchKey)
  return {
    name,
    url: `${url}/v1/chat/completions`,
    headers: { authorization: `Bearer ${key}` },
    pid: child.pid ?? 0,
    dataDir,
    countReceipts: () => countReceipts(url, managerKey),
    manage: (path, body, method) => manage(url, managerKey, path, body, method),
  }
}

/** Limits far above what a run sends. */
export const benchKey = { name: 'bench', rpmLimit: 1_000_000, tpmLimit: 1_000_000_000 }

/** @param {string} url @param {string} managerKey @param {string} path @param {object} body */
async function manage(url, managerKey, path, body, method = 'POST') {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${managerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return /** @type {any} */ (await response.json())
}

/**
 * The number of the newest receipt: numbers have no gaps, so it is how many there are. The first entry is the price of the one model
 * that is called.
 * @param {string} url @param {string} managerKey
 */
async function countReceipts(url, managerKey) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${managerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'How many?' }] }),
  })
  await response.arrayBuffer()
  return Number(response.headers.get('x-tallystick-receipt')) - 2
}

/**
 * The service stops its database itself. One that had to be killed could not: its server is ended by the pid it wrote.
 * @param {string} dataDir
 */
async function endDatabase(dataDir) {
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  for (let attempt = 0; attempt < 100; attempt++) {
    const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0])
    if (!(pid > 0)) return
    if (attempt === 0) process.kill(pid, 'SIGINT')
    await pause(100)
  }
}
