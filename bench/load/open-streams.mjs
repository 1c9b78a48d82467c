import { Client } from 'undici'
import { createChatWriter } from './bodies.mjs'
import { createHeaders, percentile } from './requests.mjs'

/**
 * Streams that stay open until they are closed, each on a connection of its own.
 * @param {import('./calls.mjs').Job} job
 */
export function createOpenStreams({ url, headers, ...chat }) {
  const writeChat = createChatWriter(chat)
  const nextHeaders = createHeaders(headers)
  const { origin, pathname } = new URL(url)
  /** @type {Client[]} */
  const clients = []
  /** @type {number[]} */
  const firstMs = []
  let events = 0
  /** @type {Promise<unknown>[]} */
  const ends = []
  let isClosing = false
  const fault = /** @type {{ error: Error | null }} */ ({ error: null })

  /** Opens one, and waits for its first event. @returns {Promise<void>} */
  function openOne() {
    const client = new Client(origin, { pipelining: 1, bodyTimeout: 0 })
    clients.push(client)
    const sentMs = performance.now()
    const begun = createPromise()
    const ended = createPromise()
    ends.push(ended.promise)
    let status = 0
    /** @type {Buffer | null} */
    let last = null
    /** @param {Error} error */
    const fail = (error) => {
      fault.error ??= error
      begun.reject(error)
      ended.resolve()
    }
    const request = {
      path: pathname,
      method: /** @type {const} */ ('POST'),
      headers: nextHeaders(),
      body: writeChat(clients.length),
    }
    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_, code) {
        status = code
      },
      onResponseData(_, chunk) {
        events += countEvents(chunk)
        if (last === null && status === 200) {
          firstMs.push(performance.now() - sentMs)
          begun.resolve()
        }
        last = chunk
      },
      onResponseEnd() {
        if (isClosing && status === 200 && last?.includes('data: [DONE]\n\n')) ended.resolve()
        else fail(new Error(`a stream ended with ${status}: ${last?.toString().slice(-200)}`))
      },
      onResponseError: (_, error) => fail(error),
    })
    return begun.promise
  }

  return {
    /** Opens streams until there are `count`. @param {number} count */
    async open(count) {
      await Promise.all(Array.from({ length: count - clients.length }, openOne))
      return { open: clients.length, firstMs: percentile(firstMs, 0.5) }
    },
    /** How many events came up to now, on all streams. */
    count() {
      if (fault.error !== null) throw fault.error
      return { events }
    },
    /** Waits until all have ended. From here on that is no fault. */
    async close() {
      isClosing = true
      await Promise.all(ends)
      if (fault.error !== null) throw fault.error
      await Promise.all(clients.map((client) => client.close()))
      return { closed: clients.length }
    },
  }
}

/** A promise to be settled from outside. */
function createPromise() {
  /** @type {() => void} */
  let resolve = () => undefined
  /** @type {(error: Error) => void} */
  let reject = () => undefined
  /** @type {Promise<void>} */
  const promise = new Promise((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

const eventStart = Buffer.from('data: ')

/** @param {Buffer} chunk */
function countEvents(chunk) {
  let count = 0
  for (let at = chunk.indexOf(eventStart); at !== -1; at = chunk.indexOf(eventStart, at + eventStart.length))
    count++
  return count
}
