// What admission costs by itself, in this process and in Redis: calls per second and memory per key, as ratios of one run.
// Needs redis-server: npm run bench:admission
import { spawn } from 'node:child_process'
import { Redis } from 'ioredis'
import { createMemoryAdmission, createRedisAdmission } from '../packages/service/src/limits/index.js'
import { openFolder } from './folder.mjs'
import { runAndCleanUp } from './processes.mjs'

/** @typedef {import('../packages/service/src/limits/index.js').AdmissionStore} AdmissionStore */

const manyKeys = 100_000
const seconds = 4
const windowMs = 60_000
const tenantId = 'tenant_bench'
const port = 17_979

/** Nothing happened before. @type {import('../packages/service/src/limits/index.js').UsageLoader} */
const usageLoader = {
  loadTenantUsage: async () => ({ generation: Date.now(), limitsVersion: 0, uses: [], openCalls: [] }),
  loadAccountSpend: async (_, accounts) => accounts.map(() => ({ asOfSeq: 0, spentNanos: 0 })),
}

/**
 * One call under an RPM, a TPM and a budget of its key: admitted, settled, recorded.
 * @param {AdmissionStore} store @param {number} key @param {number} seq
 */
async function call(store, key, seq) {
  const keyId = `key_${key}`
  const attemptId = `req_${seq}`
  const scopes = /** @type {const} */ ([['key', keyId]])
  const account = { scopeType: /** @type {const} */ ('key'), scopeId: keyId, startMs: 0, endMs: null }
  const decision = await store.admit({
    tenantId,
    attemptId,
    claims: [
      { id: `${keyId}/rpm`, unit: 'requests', limit: 1_000_000_000, amount: 1, windowMs },
      { id: `${keyId}/tpm`, unit: 'tokens', limit: 1_000_000_000, amount: 900, windowMs },
    ],
    spend: { scopes, accountLimits: [{ account, limitNanos: 1e15 }], maxNanos: 500, minNanos: 500 },
  })
  if (!decision.admitted) throw new Error(`refused: ${decision.reason}`)
  await store.settle(decision.hold, { tokens: 700 })
  await store.countReceipts([
    { tenantId, attemptId, seq, nanos: 400, tokens: 700, atMs: decision.atMs, scopes },
  ])
}

let seq = 0

/** As many at a time as a busy replica has. @param {(lane: number) => Promise<boolean>} step */
async function inLanes(step) {
  await Promise.all(
    Array.from({ length: 64 }, async (_, lane) => {
      while (await step(lane));
    }),
  )
}

/** @param {AdmissionStore} store @param {number} keys */
async function measureCallsPerSecond(store, keys) {
  const startedMs = performance.now()
  let calls = 0
  await inLanes(async () => {
    await call(store, calls++ % keys, ++seq)
    return performance.now() < startedMs + seconds * 1000
  })
  return calls / ((performance.now() - startedMs) / 1000)
}

/** @param {AdmissionStore} store @param {() => Promise<number>} readBytes */
async function measure(store, readBytes) {
  const one = await measureCallsPerSecond(store, 1)
  const before = await readBytes()
  let next = 1
  await inLanes(async () => {
    if (next > manyKeys) return false
    await call(store, next++, ++seq)
    return true
  })
  const bytesPerKey = ((await readBytes()) - before) / manyKeys
  return { one, many: await measureCallsPerSecond(store, manyKeys), bytesPerKey }
}

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function startRedis(cleanup) {
  const folder = await openFolder(cleanup)
  const server = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
  ])
  cleanup.add(async () => void server.kill('SIGKILL'))
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.stdout.on('data', (chunk) => String(chunk).includes('Ready to accept') && resolve(null))
  })
  const client = new Redis(port, '127.0.0.1')
  cleanup.add(async () => client.disconnect())
  return client
}

async function readHeap() {
  for (let turn = 0; turn < 3; turn++) globalThis.gc?.()
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
}

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  if (globalThis.gc === undefined) throw new Error('run it with node --expose-gc, to measure memory')
  const memory = createMemoryAdmission(usageLoader)
  const inProcess = await measure(memory, readHeap)
  await memory.close()

  const client = await startRedis(cleanup)
  const log = { info: () => undefined, warn: console.error }
  const shared = await createRedisAdmission({ url: `redis://127.0.0.1:${port}`, usageLoader, log })
  cleanup.add(() => shared.close())
  const inRedis = await measure(shared, async () =>
    Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]),
  )

  const row = (name, { one, many, bytesPerKey }) => ({
    store: name,
    'calls/s, 1 key': Math.round(one),
    [`calls/s, ${manyKeys} keys`]: Math.round(many),
    'of 1 key': (many / one).toFixed(2),
    'bytes per key': Math.round(bytesPerKey),
  })
  console.table([row('in process', inProcess), row('Redis', inRedis)])
  console.log(`Redis makes ${(inRedis.one / inProcess.one).toFixed(3)} of the calls in process with one key,`)
  console.log(
    `${(inRedis.many / inProcess.many).toFixed(3)} with ${manyKeys}, at ${(inRedis.bytesPerKey / inProcess.bytesPerKey).toFixed(1)} times the memory.`,
  )
}

await runAndCleanUp(run)
