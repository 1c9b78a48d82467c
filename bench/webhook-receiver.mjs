// A receiver that takes everything at once on /live/…, and never answers on /dead/…
import { createServer } from 'node:http'
import { serveUntilDisconnected } from './child.mjs'

let taken = 0
let wanted = Number.POSITIVE_INFINITY

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    if (!request.url?.startsWith('/live/')) return
    response.writeHead(204).end()
    if (++taken === wanted) process.send?.({ taken })
  })
})
process.on('message', (message) => {
  taken = 0
  wanted = Number(message)
})
serveUntilDisconnected(server)
