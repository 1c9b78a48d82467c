// How long other callers wait while a body is read that was made to keep the service busy. README.md says how to read it.
import { request } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { bytesOf, hostileBodies } from '../test/harness/providers/hostile-bodies.js'
import { startUpstream } from './contenders.mjs'
import { runAndCleanUp } from './processes.mjs'
import { describeMachine } from './report.mjs'
import { startService } from './service.mjs'

/** @param {string} url @param {Record<string, string | number>} headers @param {Buffer} [body] @returns {Promise<number>} */
const ask = (url, headers, body) =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: body ? 'POST' : 'GET', headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end(body)
  })

/** In a thread of its own: asks for the health of the service without a pause, and tells the longest wait when asked. */
async function watch() {
  let longest = 0
  parentPort?.on('message', () => {
    parentPort?.postMessage(longest)
    longest = 0
  })
  for (;;) {
    const start = performance.now()
    await ask(`${workerData}/healthz`, {})
    longest = Math.max(longest, performance.now() - start)
  }
}

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const service = await startService(await startUpstream(cleanup), cleanup)
  for (const kind of ['secrets', 'keywords', 'pii'])
    await service.manage('/v1/policies', { name: kind, kind, phase: 'both', ...configs[kind] })
  const origin = new URL(service.url).origin
  const watcher = new Worker(new URL(import.meta.url), { workerData: origin })
  cleanup.add(async () => void (await watcher.terminate()))
  const longestWait = () =>
    new Promise((resolve) => {
      watcher.once('message', resolve)
      watcher.postMessage(null)
    })
  const { cores, node } = describeMachine()
  console.log(`${cores} cores, Node ${node}\n\n  wait ms    took ms  status  body`)
  for (const body of hostileBodies) {
    const bytes = bytesOf(body)
    const headers = { ...service.headers, 'content-type': 'application/json', 'content-length': bytes.length }
    await longestWait()
    const start = performance.now()
    const status = await ask(origin + body.path, headers, bytes)
    const tookMs = performance.now() - start
    const waitMs = Number(await longestWait())
    const columns = [waitMs.toFixed(0).padStart(9), tookMs.toFixed(0).padStart(9), status, body.name]
    console.log(columns.join('  '))
  }
}

/** @type {Record<string, object>} */
const configs = {
  secrets: { config: {}, action: 'block' },
  keywords: { config: { words: ['project nightfall'] }, action: 'block' },
  pii: { config: { entities: ['email', 'credit_card', 'iban'] }, action: 'redact' },
}

await (isMainThread ? runAndCleanUp(run) : watch())
