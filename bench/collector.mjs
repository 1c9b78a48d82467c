// Takes whatever is sent to it, as a collector of traces does, and makes nothing of it.
import { createServer } from 'node:http'
import { serveUntilDisconnected } from './child.mjs'

serveUntilDisconnected(
  createServer((request, response) => {
    request.resume()
    request.once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  }),
)
