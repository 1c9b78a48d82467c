// The provider of a run: answers every chat completion at once, with the same canned text and its usage. A stream of up to
// 500 tokens has that many events.
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

const usageEvent = event({ ...about, object: 'chat.completion.chunk', choices: [], usage })
const done = Buffer.from('data: [DONE]\n\n')

/** @param {readonly string[]} words */
function writeStreams(words) {
  const spoken = [
    chunk({ role: 'assistant', content: '' }),
    ...words.map((word) => chunk({ content: `${word} ` })),
    chunk({}, 'stop'),
  ]
  return { withUsage: [...spoken, usageEvent, done], withoutUsage: [...spoken, done] }
}

const shortStreams = writeStreams(words)
const longStreams = writeStreams(Array.from({ length: 500 }, (_, index) => words[index % words.length] ?? ''))

/**
 * One event per turn of the loop, so that each reaches the reader as a chunk of its own.
 * @param {import('node:http').ServerResponse} response @param {readonly Buffer[]} events
 */
function speak(response, events, next = 0) {
  if (next === events.length) response.end()
  else if (response.write(events[next])) setImmediate(speak, response, events, next + 1)
  else response.once('drain', () => speak(response, events, next + 1))
}

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const body = []
  request.on('data', (bytes) => body.push(bytes))
  request.on('end', () => {
    const asked = Buffer.concat(body)
    if (asked.includes('"stream":true')) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_bench' })
      const streams = asked.includes('"max_tokens":500') ? longStreams : shortStreams
      speak(response, asked.includes('"include_usage":true') ? streams.withUsage : streams.withoutUsage)
    } else {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': plain.length,
        'x-request-id': 'req_bench',
      })
      response.end(plain)
    }
  })
})
serveUntilDisconnected(server)
