import { Client } from 'undici'
import { createChatWriter } from './bodies.mjs'
import { createHeaders, percentile } from './requests.mjs'

/**
 * @typedef {object} CallJob
 * @property {string} url
 * @property {Record<string, string> | readonly Record<string, string>[]} headers a list is used in turn
 * @property {number} connections
 * @property {number} seconds
 * @property {number} maxCalls
 * @typedef {CallJob & import('./bodies.mjs').Chat} Job
 *
 * @typedef {object} Measurement
 * @property {number} calls
 * @property {number} perSecond
 * @property {number} p50Ms to the last byte
 * @property {number} p99Ms
 * @property {number} firstMs the median time to the first byte of the answer's body: of a stream, to its first event
 */

/** Keeps N connections busy, each with one call at a time, and times every call. @param {Job} job @returns {Promise<Measurement>} */
export async function driveCalls({ url, headers, connections, seconds, maxCalls, ...chat }) {
  const writeChat = createChatWriter(chat)
  const nextHeaders = createHeaders(headers)
  const { origin, pathname } = new URL(url)
  const clients = Array.from({ length: connections }, () => new Client(origin, { pipelining: 1 }))
  /** @type {{ whole: number[], first: number[] }} */
  const timesMs = { whole: [], first: [] }
  let sent = 0
  const startedMs = performance.now()
  const endsMs = startedMs + seconds * 1_000
  const next = () => {
    if (sent === maxCalls || performance.now() >= endsMs) return null
    sent++
    return {
      path: pathname,
      method: /** @type {const} */ ('POST'),
      headers: nextHeaders(),
      body: writeChat(sent),
    }
  }
  await Promise.all(clients.map((client) => keepBusy(client, next, chat.stream, timesMs)))
  const elapsedMs = performance.now() - startedMs
  await Promise.all(clients.map((client) => client.close()))
  return {
    calls: timesMs.whole.length,
    perSecond: (timesMs.whole.length / elapsedMs) * 1_000,
    p50Ms: percentile(timesMs.whole, 0.5),
    p99Ms: percentile(timesMs.whole, 0.99),
    firstMs: percentile(timesMs.first, 0.5),
  }
}

/**
 * @param {Client} client
 * @param {() => import('undici').Dispatcher.DispatchOptions | null} next the call to make, or null when it is enough
 * @param {boolean} stream
 * @param {{ whole: number[], first: number[] }} timesMs
 * @returns {Promise<void>}
 */
function keepBusy(client, next, stream, timesMs) {
  return new Promise((resolve, reject) => {
    let sentMs = 0
    let status = 0
    /** @type {Buffer | null} */
    let last = null
    const handler = {
      onRequestStart() {},
      /** @param {unknown} _ @param {number} code */
      onResponseStart(_, code) {
        status = code
      },
      /** @param {unknown} _ @param {Buffer} chunk */
      onResponseData(_, chunk) {
        if (last === null) timesMs.first.push(performance.now() - sentMs)
        last = chunk
      },
      onResponseEnd() {
        timesMs.whole.push(performance.now() - sentMs)
        if (status === 200 && last?.includes(stream ? 'data: [DONE]\n\n' : '"total_tokens":67')) send()
        else reject(new Error(`answered with ${status}, ending in: ${last?.toString().slice(-200)}`))
      },
      /** @param {unknown} _ @param {Error} error */
      onResponseError: (_, error) => reject(error),
    }
    function send() {
      const call = next()
      if (call === null) return resolve()
      last = null
      sentMs = performance.now()
      client.dispatch(call, handler)
    }
    send()
  })
}
