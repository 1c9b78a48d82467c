import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createHttpProvider,
  endpoints,
  type FailureKind,
  type HttpProviderParts,
  type HttpProviderSettings,
  type Provider,
  type UpstreamRequest,
} from '../../../packages/service/src/providers/index.js'
import type { ApiError } from '../../../packages/service/src/shared/errors.js'

export interface Arrived {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface VendorServer {
  url: string
  arrived: Arrived[]
  close(): Promise<void>
}

/** A server in the place of a vendor, which keeps what arrives. */
export async function serveVendor(
  answer: (request: Arrived, response: ServerResponse) => void = (_, response) => response.end('{}'),
): Promise<VendorServer> {
  const arrived: Arrived[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    const received = { method, path, headers, body: Buffer.concat(chunks).toString() }
    arrived.push(received)
    answer(received, response)
  })
  // A connection ends when somebody ends it, and not by itself while a test waits for that.
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

// No test waits for one of these: a machine that stands still for a while must not end a call.
const timeouts = {
  connectMs: 600_000,
  firstByteMs: 600_000,
  idleMs: 600_000,
  totalMs: 600_000,
  hangUpGraceMs: 1_000,
}

export function providerFor(
  settings: Partial<HttpProviderSettings> & Pick<HttpProviderSettings, 'type' | 'baseUrl'>,
  parts: HttpProviderParts = {},
): Provider {
  return createHttpProvider(
    {
      id: 'prov_1',
      name: 'p',
      credentials: [credential('secret-key')],
      headers: {},
      auth: 'own',
      options: {},
      dialects: ['chat'],
      pricesOf: 'p',
      ...settings,
      timeouts: { ...timeouts, ...settings.timeouts },
      limits: settings.limits ?? { maxStreamBytes: 2 ** 29, maxAnswerBytes: 2 ** 27 },
    },
    parts,
  )
}

export const credential = (value: string, fields: { id?: string; weight?: number } = {}) => ({
  id: fields.id ?? 'cred_1',
  name: fields.id ?? 'default',
  value,
  weight: fields.weight ?? 1,
})

export function requestFor(
  dialect: keyof typeof endpoints,
  fields: Partial<UpstreamRequest> & { json?: object } = {},
): UpstreamRequest {
  const { json, ...rest } = fields
  return {
    dialect: endpoints[dialect],
    model: 'some-model',
    stream: false,
    contextWindow: null,
    body: Buffer.from(JSON.stringify(json ?? { model: 'some-model', messages: [] })),
    headers: {},
    query: '',
    callerAuthorization: null,
    ...rest,
  }
}

export interface Answered {
  status: number
  headers: Record<string, string>
  retryAfterMs: number | null
  body: string
  failure: { kind: FailureKind; error: ApiError } | null
}

/** Sends a request and waits for its end, whatever that is. */
export function sendTo(provider: Provider, request: UpstreamRequest): Promise<Answered> {
  return new Promise((resolve) => {
    const answered: Answered = { status: 0, headers: {}, retryAfterMs: null, body: '', failure: null }
    provider.transport.send(request, {
      head(status, headers, retryAfterMs = null) {
        Object.assign(answered, { status, headers, retryAfterMs })
      },
      data(chunk) {
        answered.body += chunk.toString()
        return true
      },
      end: () => resolve(answered),
      fail: (error, kind = 'broken') => resolve({ ...answered, failure: { kind, error } }),
    })
  })
}
