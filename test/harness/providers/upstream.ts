import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request that reached the provider. */
export interface SeenRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  raw: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  body: any
}

export type Script = (request: SeenRequest, response: ServerResponse) => void | Promise<void>

/** A provider that does what a test tells it, on a real socket. */
export interface Upstream {
  /** http://127.0.0.1:port, without /v1 */
  url: string
  seen: SeenRequest[]
  /** Calls whose connection the gateway closed before the answer was complete. */
  aborted: number
  /** What to do with every request from now on. */
  answerWith(script: Script): void
  close(): Promise<void>
}

export async function startUpstream(script: Script): Promise<Upstream> {
  let current = script
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      const seen: SeenRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        raw,
        body: readJson(raw),
      }
      upstream.seen.push(seen)
      response.on('close', () => {
        if (!response.writableFinished) upstream.aborted++
      })
      Promise.resolve(current(seen, response)).catch(() => response.destroy())
    })
  })
  // Only the other side ends a connection that is idle: one that this side ends may be in use again at that very moment.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const upstream: Upstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    aborted: 0,
    answerWith: (next) => {
      current = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return upstream
}

function readJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString())
  } catch {
    return null
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Writes events one by one; a test's own pauses go between calls. */
export function startEvents(response: ServerResponse): (data: unknown, name?: string) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  return (data, name) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    response.write(`${name ? `event: ${name}\n` : ''}data: ${text}\n\n`)
  }
}
