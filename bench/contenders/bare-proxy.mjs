// The least that a proxy on this runtime can do: read a request, hand its bytes on, hand the answer back.
// It checks, counts and records nothing; what a gateway does on top is measured against it.
import { createServer } from 'node:http'
import { Agent } from 'undici'
import { serveUntilDisconnected } from '../child.mjs'

const [upstream = ''] = process.argv.slice(2)
const agent = new Agent({ connections: null, pipelining: 1 })
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date'])

/** @param {Record<string, string | string[] | undefined>} headers */
function endToEnd(headers) {
  /** @type {Record<string, string | string[]>} */
  const kept = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !hopByHop.has(name)) kept[name] = value
  }
  return kept
}

/** @param {Buffer} body @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
function forward(body, request, response) {
  agent.dispatch(
    {
      origin: upstream,
      path: request.url ?? '/',
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: request.headers.authorization },
      body,
    },
    {
      onRequestStart(controller) {
        response.on('drain', () => controller.resume())
        response.on('close', () => {
          if (!response.writableFinished) controller.abort(new Error('the caller has left'))
        })
      },
      onResponseStart: (_, status, headers) => void response.writeHead(status, endToEnd(headers)),
      onResponseData(controller, chunk) {
        if (!response.write(chunk)) controller.pause()
      },
      onResponseEnd: () => void response.end(),
      onResponseError: () => void response.destroy(),
    },
  )
}

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => forward(Buffer.concat(chunks), request, response))
})
serveUntilDisconnected(server)
