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
  /** Makes a key and returns its value. */
  key(fields?: Record<string, unknown>): Promise<string>
  /** Sends the bytes as they are and hands back the response as `fetch` gives it. */
  send(
    path: string,
    body: unknown,
    options?: { key?: string; signal?: AbortSignal; headers?: Record<string, string> },
  ): Promise<Response>
  /** The receipt of one call, which must be in the database at this very moment. */
  receiptOf(response: Response): Promise<Receipt>
  /** The receipt of the next call, waited for. Events of the record itself, such as a price, are passed over. */
  nextReceipt(): Promise<Receipt>
  /** Resolves when the gateway has seen that a caller hung up: it has answered another, who came later. */
  noticeHangUp(): Promise<void>
  stop(): Promise<void>
}

interface GatewayOptions {
  models?: Record<string, unknown>
  /** Further providers, given where the scripted server is. */
  providers?(upstreamUrl: string): Record<string, unknown>
  env?: Record<string, string>
}

const unscripted: Script = (_, response) => void response.writeHead(500).end('the test gave no script')

// A stream whose caller is gone is read on for a while: not for long, when nothing more comes.
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

/** A new tenant of the one gateway of this worker, which has no further models or providers: see `shareTestService`. */
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
          // A form names its boundary itself.
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
      // The clients of this process go first: the service lets those that are still connected finish.
      await getGlobalDispatcher().destroy()
      setGlobalDispatcher(new Agent())
      await stop()
    },
  }
}

/** What a commitment must be, for a body that the test knows. */
export const commitmentTo = ({ commitmentKey }: Receipt, bytes: Buffer | string): string =>
  createHmac('sha256', commitmentKey).update(bytes).digest('hex')

/** A gate that a scripted provider waits at until the test opens it. */
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

/** Everything that a stream or a list yields. */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}
