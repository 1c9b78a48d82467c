import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CloudRequest {
  method: string
  url: URL
  headers: IncomingHttpHeaders
  body: string
}

export interface CloudAnswer {
  status?: number
  headers?: Record<string, string>
  body?: string | object
}

export interface CloudServer {
  url: string
  host: string
  requests: CloudRequest[]
  close(): Promise<void>
}

/** A service of a cloud on this machine. `answer` decides by the request alone, and may throw an answer. */
export async function serveCloud(
  answer: (request: CloudRequest) => CloudAnswer | Promise<CloudAnswer>,
): Promise<CloudServer> {
  const requests: CloudRequest[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = '', headers } = incoming
    const url = new URL(incoming.url ?? '/', 'http://cloud.invalid')
    const request = { method, url, headers, body: Buffer.concat(chunks).toString() }
    requests.push(request)
    const { status = 200, headers: sent = {}, body = '' } = await answer(request)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, sent).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
