// The caller: keeps N connections busy, each with one call at a time, and times every call to its last byte.
import { Client } from 'undici'

/**
 * @typedef {object} Job
 * @property {string} url
 * @property {Record<string, string>} headers
 * @property {boolean} stream
 * @property {number} connections
 * @property {number} seconds
 * @property {number} maxCalls
 * @property {string} [model] gpt-4o-mini when left out
 * @property {number} [promptChars] about how long the question is; a short one when left out
 * @property {boolean} [conversation] whether that length is in the messages of an agent, the same in each call, instead of one text
 * @property {number} [maxTokens] 128 when left out; a stream for 500 has as many events
 *
 * @typedef {object} Measurement
 * @property {number} calls
 * @property {number} perSecond
 * @property {number} p50Ms
 * @property {number} p99Ms
 */

/** @param {Job} job @returns {Promise<Measurement>} */
async function drive({ url, headers, stream, connections, seconds, maxCalls, ...call }) {
  const { model = 'gpt-4o-mini', promptChars = 0, conversation = false, maxTokens = 128 } = call
  const filler = conversation ? '' : writeFiller(promptChars)
  const history = conversation ? writeHistory(promptChars) : ''
  const { origin, pathname } = new URL(url)
  const clients = Array.from({ length: connections }, () => new Client(origin, { pipelining: 1 }))
  /** @type {number[]} */
  const timesMs = []
  let sent = 0
  const startedMs = performance.now()
  const endsMs = startedMs + seconds * 1_000
  const next = () => {
    if (sent === maxCalls || performance.now() >= endsMs) return null
    sent++
    return {
      path: pathname,
      method: /** @type {const} */ ('POST'),
      headers: { ...headers, 'content-type': 'application/json' },
      body: writeChat(sent, { model, stream, history, filler, maxTokens }),
    }
  }
  await Promise.all(clients.map((client) => keepBusy(client, next, stream, timesMs)))
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
 * A short chat as an application sends it. The question differs from call to call, so that no cache is flattered.
 * @param {number} number
 * @param {{ model: string, stream: boolean, history: string, filler: string, maxTokens: number }} options
 */
const writeChat = (number, { model, stream, history, filler, maxTokens }) =>
  `{"model":"${model}","messages":[{"role":"system","content":"You are a helpful assistant. Answer in one sentence."},${history}{"role":"user","content":"What is a tally stick, and why was number ${number} of them split?${filler}"}],"max_tokens":${maxTokens},"temperature":0.2${stream ? ',"stream":true' : ''}}`

const prose =
  ' A clerk of the Exchequer cut notches for 1,000 pounds as thick as a hand, for 20 as thick as a thumb, and split the stick along its length; see chapter 12 of the ledger, or ask at the desk (room 4, 9:30 to 17:00).'

/** Prose with some numbers in it, as questions with a document in them have. @param {number} chars */
const writeFiller = (chars) => prose.repeat(Math.ceil(chars / prose.length)).slice(0, chars)

const code = `export function splitStick(stick) {
  if (stick.notches.length === 0) throw new Error("a stick without notches")
  const [stock, foil] = [stick.left(), stick.right()] // the stock is the longer part
  return { stock, foil, note: "cut on " + stick.day + ", chapter 12" }
}
`

/** Messages of a coding agent: calls of a tool, and files as its results, until they have this many characters. @param {number} chars */
function writeHistory(chars) {
  let history = ''
  for (let turn = 0; history.length < chars; turn++) {
    const call = {
      id: `call_${turn}`,
      type: 'function',
      function: {
        name: 'read_file',
        arguments: JSON.stringify({ path: `src/sticks/${turn}.ts`, limit: 50 }),
      },
    }
    const content = `// ${turn}\n${code.repeat(1 + (turn % 12))}`
    history += `${JSON.stringify({ role: 'assistant', content: null, tool_calls: [call] })},`
    history += `${JSON.stringify({ role: 'tool', tool_call_id: call.id, content })},`
  }
  return history
}

/**
 * @param {Client} client
 * @param {() => import('undici').Dispatcher.DispatchOptions | null} next the call to make, or null when it is enough
 * @param {boolean} stream
 * @param {number[]} timesMs
 * @returns {Promise<void>}
 */
function keepBusy(client, next, stream, timesMs) {
  return new Promise((resolve, reject) => {
    let sentMs = 0
    let status = 0
    /** @type {Buffer} */
    let last = Buffer.alloc(0)
    const handler = {
      onRequestStart() {},
      /** @param {unknown} _ @param {number} code */
      onResponseStart(_, code) {
        status = code
      },
      /** @param {unknown} _ @param {Buffer} chunk */
      onResponseData(_, chunk) {
        last = chunk
      },
      onResponseEnd() {
        timesMs.push(performance.now() - sentMs)
        if (status === 200 && last.includes(stream ? 'data: [DONE]\n\n' : '"total_tokens":67')) send()
        else reject(new Error(`answered with ${status}, ending in: ${last.toString().slice(-200)}`))
      },
      /** @param {unknown} _ @param {Error} error */
      onResponseError: (_, error) => reject(error),
    }
    function send() {
      const call = next()
      if (call === null) return resolve()
      sentMs = performance.now()
      client.dispatch(call, handler)
    }
    send()
  })
}

/** @param {Float64Array} sorted @param {number} share */
const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

process.on('message', (/** @type {Job} */ job) => {
  drive(job).then(
    (measurement) => process.send?.({ measurement }),
    (error) => process.send?.({ fault: `${job.url}: ${error.message}` }),
  )
})
process.once('disconnect', () => process.exit())
process.send?.({ ready: true })
