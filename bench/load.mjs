// The caller: keeps N connections busy, each with one call at a time, and times every call to its last byte.
import { Client } from 'undici'

/**
 * @typedef {object} Job
 * @property {string} url
 * @property {Record<string, string>} headers
 * @property {string} body
 * @property {number} connections
 * @property {number} seconds
 * @property {number} maxCalls
 *
 * @typedef {object} Measurement
 * @property {number} calls
 * @property {number} perSecond
 * @property {number} p50Ms
 * @property {number} p99Ms
 */

/** @param {Job} job @returns {Promise<Measurement>} */
async function drive({ url, headers, body, connections, seconds, maxCalls }) {
  const { origin, pathname } = new URL(url)
  const call = { path: pathname, method: /** @type {const} */ ('POST'), headers: { ...headers, 'content-type': 'application/json' }, body }
  const clients = Array.from({ length: connections }, () => new Client(origin, { pipelining: 1 }))
  /** @type {number[]} */
  const timesMs = []
  const startedMs = performance.now()
  const endsMs = startedMs + seconds * 1_000
  await Promise.all(clients.map((client) => callUntil(client, call, () => performance.now() >= endsMs || timesMs.length >= maxCalls, timesMs)))
  const elapsedMs = performance.now() - startedMs
  await Promise.all(clients.map((client) => client.close()))
  const sorted = Float64Array.from(timesMs).sort()
  return {
    calls: sorted.length,
    perSecond: (sorted.length / elapsedMs) * 1_000,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  }
}

/**
 * @param {Client} client
 * @param {import('undici').Dispatcher.DispatchOptions} call
 * @param {() => boolean} isOver
 * @param {number[]} timesMs
 * @returns {Promise<void>}
 */
function callUntil(client, call, isOver, timesMs) {
  return new Promise((resolve, reject) => {
    let sentMs = 0
    let status = 0
    const handler = {
      /** @param {unknown} _ @param {number} code */
      onResponseStart(_, code) {
        status = code
      },
      onResponseData() {},
      onResponseEnd() {
        if (status !== 200) return reject(new Error(`answered with ${status}`))
        timesMs.push(performance.now() - sentMs)
        send()
      },
      /** @param {unknown} _ @param {Error} error */
      onResponseError: (_, error) => reject(error),
    }
    function send() {
      if (isOver()) return resolve()
      sentMs = performance.now()
      client.dispatch(call, handler)
    }
    send()
  })
}

/** @param {Float64Array} sorted @param {number} share */
const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

process.on('message', (/** @type {Job} */ job) => {
  drive(job).then(
    (measurement) => process.send?.({ measurement }),
    (error) => process.send?.({ fault: `${job.url}: ${error.message}` }),
  )
})
process.once('disconnect', () => process.exit())
process.send?.({ ready: true })
