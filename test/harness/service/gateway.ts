import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { inject } from 'vitest'
import { stringify } from 'yaml'
import type { Entry } from '../../../packages/record/src/format/entry.js'
import { type Script, startUpstream, type Upstream } from '../providers/upstream.js'
import { waitFor } from '../run/wait.js'
import { startTestService, type TestService } from './service.js'
import { shareTestService } from './shared-service.js'

/** An entry of the record, with the key that opens its commitments. */
export interface Receipt extends Entry {
  commitmentKey: Buffer
}

/** A service whose providers `openai` and `anthropic` are one scripted server. */
export interface TestGateway {
  service: TestService
  upstream: Upstream
  /** Creates a key and returns its value. */
  key(fields?: Record<string, unknown>): Promise<string>
  /** Sends the bytes unchanged and returns the response of `fetch`. */
  send(
    path: string,
    body: unknown,
    options?: { key?: string; signal?: AbortSignal; headers?: Record<string, string> },
  ): Promise<Response>
  /** Returns the receipt of one call, which must already be in the database. */
  receiptOf(response: Response): Promise<Receipt>
  /** Waits for the receipt of the next call. Other entries of the record, such as prices, are skipped. */
  nextReceipt(): Promise<Receipt>
  /** Resolves when the gateway has noticed that a caller disconnected: it has answered a later call. */
  noticeHangUp(): Promise<void>
  stop(): Promise<void>
}

interface GatewayOptions {
  models?: Record<string, unknown>
  /** Returns further providers, given the address of the scripted server. */
  providers?(upstreamUrl: string): Record<string, unknown>
  env?: Record<string, string>
}

const unscripted: Script = (_, response) => void response.writeHead(500).end('the test gave no script')

// How long a stream is still read after its caller disconnected. Tests need not wait long when nothing more arrives.
const timeouts = { hangUpGraceMs: 300 }

/** Writes the settings of a service whose providers are this server. */
async function writeSettings(folder: string, upstream: Upstream, options: GatewayOptions): Promise<string> {
  const path = join(folder, 'tallystick.yaml')
  const providers = {
    openai: { type: 'openai', baseUrl: `${upstream.url}/v1`, apiKey: 'sk-upstream', timeouts },
    anthropic: { type: 'anthropic', baseUrl: upstream.url, apiKey: 'sk-ant-upstream', timeouts },
    ...options.providers?.(upstream.url),
  }
  await writeFile(path, stringify({ providers, models: options.models ?? {} }))
  return path
}

export async function startTestGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const upstream = await startUpstream(unscripted)
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-config-'))
  const path = await writeSettings(folder, upstream, options)
  const service = await startTestService({ env: { TALLYSTICK_CONFIG: path, ...options.env } })
  return createGateway(service, upstream, async () => {
    await service.stop()
    await upstream.close()
    await rm(folder, { recursive: true, force: true })
  })
}

let sharedUpstream: Promise<Upstream> | null = null

/** Creates a tenant of the gateway that all files of this worker share, without further models or providers: see `shareTestService`. */
export async function shareTestGateway(): Promise<TestGateway> {
  sharedUpstream ??= startUpstream(unscripted)
  const upstream = await sharedUpstream
  const service = await shareTestService('gateway', async () => {
    const folder = await mkdtemp(join(inject('runFolder'), 'config-'))
    return { TALLYSTICK_CONFIG: await writeSettings(folder, upstream, {}) }
  })
  upstream.answerWith(unscripted)
  upstream.seen.length = 0
  upstream.aborted = 0
  return createGateway(service, upstream, service.stop)
}

function createGateway(service: TestService, upstream: Upstream, stop: () => Promise<void>): TestGateway {
  let read = 0

  async function readReceipts(where: string, values: unknown[]): Promise<Receipt[]> {
    const rows = await service.database.query<{ canonical: string; commitment_key: Buffer }>(
      `select canonical, commitment_key from receipts where ${where} order by seq`,
      values,
    )
    return rows.map((row) => ({ ...JSON.parse(row.canonical), commitmentKey: row.commitment_key }))
  }

  return {
    service,
    upstream,
    async key(fields = {}) {
      const { body } = await service.api.post('/v1/keys', { name: 'test', ...fields })
      return body.key
    },
    send: (path, body, { key = service.managerKey, signal, headers } = {}) =>
      fetch(service.address + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          // `fetch` sets the content type of a form, because it contains the boundary.
          ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body),
        ...(signal && { signal }),
      }),
    async receiptOf(response) {
      const requestId = response.headers.get('x-tallystick-request-id')
      const [receipt] = await readReceipts('request_id = $1', [requestId])
      if (!receipt) throw new Error('the call has no receipt')
      read = Math.max(read, receipt.seq)
      return receipt
    },
    async nextReceipt() {
      const next = `canonical::json ->> 'kind' = 'model' and seq > $1 and tenant_id = $2`
      const receipt = await waitFor('the next receipt', async () =>
        (await readReceipts(next, [read, service.tenantId])).at(0),
      )
      read = receipt.seq
      return receipt
    },
    async noticeHangUp() {
      await service.api.get('/healthz')
    },
    async stop() {
      // Clients of this process are closed first, because the service waits for connected clients.
      await getGlobalDispatcher().destroy()
      setGlobalDispatcher(new Agent())
      await stop()
    },
  }
}

/** Computes the expected commitment to a body. */
export const commitmentTo = ({ commitmentKey }: Receipt, bytes: Buffer | string): string =>
  createHmac('sha256', commitmentKey).update(bytes).digest('hex')

/** A gate at which a scripted provider waits until the test opens it. */
export function makeGate(): { passed: Promise<void>; open(): void } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}

/** Reads a response piece by piece, until the text so far satisfies the test or the stream ends. */
export function readPieces(response: Response): {
  until(enough: (text: string) => boolean): Promise<string>
  cancel(): Promise<void>
} {
  const reader = response.body?.getReader()
  if (!reader) throw new Error('the response has no body')
  const decoder = new TextDecoder()
  let text = ''
  return {
    async until(enough) {
      while (!enough(text)) {
        const { done, value } = await reader.read()
        if (done) break
        text += decoder.decode(value, { stream: true })
      }
      return text
    },
    cancel: () => reader.cancel(),
  }
}

/** Collects everything that a stream or a list yields. */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}
