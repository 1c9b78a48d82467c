// The provider of a run: answers every chat completion with the same canned text and its usage. The member `user` of a request can say how:
// `delay-300` begins the answer after 300 ms; `pace-50` streams an event every 50 ms from `/start-streams` to `/end-streams`. Otherwise it
// answers at once, and a stream of up to 500 tokens has that many events.
import { createServer } from 'node:http'
import { serveUntilDisconnected } from './child.mjs'

const words =
  'A tally stick was split in two so that neither side could change what had been agreed upon there.'.split(
    ' ',
  )
const about = { id: 'chatcmpl-bench', created: 1_700_000_000, model: 'gpt-4o-mini-2024-07-18' }
const usage = { prompt_tokens: 46, completion_tokens: 21, total_tokens: 67 }

const plain = Buffer.from(
  JSON.stringify({
    ...about,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: words.join(' ') }, finish_reason: 'stop' }],
    usage,
  }),
)

/** @param {unknown} data */
const event = (data) => Buffer.from(`data: ${JSON.stringify(data)}\n\n`)

/** @param {object} delta @param {string | null} finish */
const chunk = (delta, finish = null) =>
  event({ ...about, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })

const firstEvent = chunk({ role: 'assistant', content: '' })
const wordEvents = words.map((word) => chunk({ content: `${word} ` }))
const stopEvent = chunk({}, 'stop')
const usageEvent = event({ ...about, object: 'chat.completion.chunk', choices: [], usage })
const done = Buffer.from('data: [DONE]\n\n')

/** @param {number} count */
function writeStreams(count) {
  const events = Array.from({ length: count }, (_, index) => wordEvents[index % words.length] ?? done)
  const spoken = [firstEvent, ...events, stopEvent]
  return { withUsage: [...spoken, usageEvent, done], withoutUsage: [...spoken, done] }
}

const shortStreams = writeStreams(words.length)
const longStreams = writeStreams(500)

/**
 * One event per turn of the loop, so that each reaches the reader as a chunk of its own.
 * @param {import('node:http').ServerResponse} response @param {readonly Buffer[]} events
 */
function speak(response, events, next = 0) {
  if (next === events.length) response.end()
  else if (response.write(events[next])) setImmediate(speak, response, events, next + 1)
  else response.once('drain', () => speak(response, events, next + 1))
}

/** Streams whose first event is out. Set apart from their pace, so that a thousand can be opened without a flood of events. */
const opened = /** @type {Set<() => void>} */ (new Set())
/** What ends each stream. */
const endings = /** @type {Set<() => void>} */ (new Set())

/** @param {import('node:http').ServerResponse} response @param {number} everyMs @param {readonly Buffer[]} end */
function speakSlowly(response, everyMs, end) {
  response.write(firstEvent)
  let next = 0
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const start = () => {
    timer = setInterval(() => response.write(wordEvents[next++ % words.length]), everyMs)
  }
  const finish = () => response.end(Buffer.concat(end))
  opened.add(start)
  endings.add(finish)
  response.once('close', () => {
    clearInterval(timer)
    opened.delete(start)
    endings.delete(finish)
  })
}

/** @type {Record<string, () => void>} */
const commands = {
  '/start-streams': () => {
    for (const start of opened) start()
    opened.clear()
  },
  '/end-streams': () => {
    for (const finish of endings) finish()
  },
}

/** @param {Buffer} asked @param {import('node:http').ServerResponse} response @param {number} [everyMs] */
function answer(asked, response, everyMs) {
  if (asked.includes('"stream":true')) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_bench' })
    const streams = asked.includes('"max_tokens":500') ? longStreams : shortStreams
    const events = asked.includes('"include_usage":true') ? streams.withUsage : streams.withoutUsage
    if (everyMs === undefined) speak(response, events)
    else speakSlowly(response, everyMs, events.slice(events.indexOf(stopEvent)))
  } else {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': plain.length,
      'x-request-id': 'req_bench',
    })
    response.end(plain)
  }
}

// Far longer than what comes after the messages.
const endBytes = 1_000

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const body = []
  const command = commands[request.url ?? '']
  if (command !== undefined) {
    command()
    response.end()
    return
  }
  request.on('data', (bytes) => body.push(bytes))
  request.on('end', () => {
    const asked = Buffer.concat(body)
    const [, how, ms] = /"user":"(delay|pace)-(\d+)"/.exec(asked.subarray(-endBytes).toString('latin1')) ?? []
    if (how === 'delay') setTimeout(answer, Number(ms), asked, response)
    else answer(asked, response, how === 'pace' ? Number(ms) : undefined)
  })
})
serveUntilDisconnected(server)
