import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Ending, sendBroken, withhold } from './answer-endings.js'
import type { Served, StreamEvent, VendorCall } from './call.js'
import { imageTokenPico } from './fees.js'
import { isObject, itemsOf, type Json, type JsonObject, textAt } from './json.js'
import { Refusal } from './media.js'
import { priceBook } from './price-book.js'
import { serveSpeech, serveTranscript } from './serve-audio.js'
import { serveChat } from './serve-chat.js'
import { serveCompletions } from './serve-completions.js'
import { serveEmbeddings } from './serve-embeddings.js'
import { serveEdits, serveImages, serveVariations } from './serve-images.js'
import { serveMessage } from './serve-messages.js'
import { serveModeration, serveRerank, serveTokenCount } from './serve-others.js'
import { serveResponse } from './serve-responses.js'
import { type Metered, nothing, priceTokens, toNanos } from './usage.js'
import { VendorState } from './vendor-state.js'

/** What one request costs at the vendor. It is billed when it is taken in: whoever hangs up pays all of it. */
export interface Bill {
  path: string
  model: string
  body: JsonObject
  status: number
  /** Of a refused request: why. */
  refusal?: string
  nanos: number
  used: Metered
}

export interface BillingUpstream {
  /** http://127.0.0.1:port, without /v1 */
  url: string
  /** In the order in which the requests came. */
  bills: Bill[]
  /** How much a model that does not reason says at most. */
  maxVisibleTokens: number
  /** Its models have no maximum of their own: without one in the request they go on as long as they like. */
  ignoresOwnMaximum: boolean
  /** How its answers end, whatever they cost. */
  ending: Ending
  /** Called when a request is billed and not yet answered; the answer waits for it. */
  beforeAnswer: ((bill: Bill) => Promise<void> | void) | null
  /** Called before each event of a stream but the first. */
  beforeEvent: ((bill: Bill, index: number) => Promise<void> | void) | null
  reset(): void
  close(): Promise<void>
}

const usualVisibleTokens = 400

const dialects: Readonly<Record<string, (call: VendorCall) => Served>> = {
  '/v1/chat/completions': serveChat,
  '/v1/responses': serveResponse,
  '/v1/embeddings': serveEmbeddings,
  '/v1/messages': serveMessage,
  '/v1/completions': serveCompletions,
  '/v1/images/generations': serveImages,
  '/v1/images/edits': serveEdits,
  '/v1/images/variations': serveVariations,
  '/v1/audio/speech': serveSpeech,
  '/v1/audio/transcriptions': serveTranscript,
  '/v1/audio/translations': serveTranscript,
  '/v1/moderations': serveModeration,
  '/v1/messages/count_tokens': serveTokenCount,
  '/v1/rerank': serveRerank,
}

/** A server that answers as the vendors do, and keeps the books as they document their billing. */
export async function startBillingUpstream(): Promise<BillingUpstream> {
  const held = new VendorState()
  let count = 0

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { body, files } = await readRequest(request)
    const path = new URL(request.url ?? '/', 'http://vendor').pathname
    const { bill, served: answered } = takeIn(path, body, files)
    upstream.bills.push(bill)
    await upstream.beforeAnswer?.(bill)
    if (answered === null) return sendError(response, bill)
    const { ending } = upstream
    const served = ending === 'usage' ? answered : withhold(answered)
    const isStream = isStreamed(bill.body) && served.events.length > 0
    const plain = served.bytes ?? jsonOf(served.answer)
    const type = isStream ? 'text/event-stream' : plain.contentType
    response.writeHead(200, { 'content-type': type })
    if (typeof ending === 'object') {
      const whole = isStream ? served.events.map(textOf).join('') : plain.body
      return await sendBroken(response, Buffer.from(whole), ending.brokenAt)
    }
    if (!isStream) return void response.end(plain.body)
    for (const [index, event] of served.events.entries()) {
      if (index > 0) await upstream.beforeEvent?.(bill, index)
      response.write(textOf(event))
    }
    response.end()
  }

  function takeIn(
    path: string,
    body: JsonObject,
    files: readonly Buffer[],
  ): { bill: Bill; served: Served | null } {
    const name = textAt(body, 'model')
    const bill: Bill = { path, model: name, body, status: 200, nanos: 0, used: nothing }
    try {
      const model = priceBook[name]
      const serve = dialects[path]
      if (!model || !serve)
        throw new Refusal(`The model '${name}' does not exist at ${path}`, 'model_not_found')
      const id = String(++count).padStart(12, '0')
      const served = serve({
        id,
        name,
        model: upstream.ignoresOwnMaximum ? { ...model, maxOutput: null } : model,
        body,
        files,
        held,
        maxVisibleTokens: upstream.maxVisibleTokens,
      })
      const { used } = served
      const beside = BigInt(used.feesPico) + BigInt(used.imageTokens * imageTokenPico) + served.besidesPico
      const nanos = toNanos(priceTokens(name, model, used, served.at) + beside)
      return { bill: { ...bill, nanos, used }, served }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { bill: { ...bill, status: 400, refusal: error.message }, served: null }
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  // Only the other side ends a connection that is idle: one that this side ends may be in use again at that very moment.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const upstream: BillingUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bills: [],
    maxVisibleTokens: usualVisibleTokens,
    ignoresOwnMaximum: false,
    ending: 'usage',
    beforeAnswer: null,
    beforeEvent: null,
    reset() {
      upstream.bills.length = 0
      upstream.maxVisibleTokens = usualVisibleTokens
      upstream.ignoresOwnMaximum = false
      upstream.ending = 'usage'
      upstream.beforeAnswer = null
      upstream.beforeEvent = null
      held.forget()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return upstream
}

/** Of a form: its fields as texts, or lists of texts, and its files. */
async function readRequest(request: IncomingMessage): Promise<{ body: JsonObject; files: Buffer[] }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const raw = Buffer.concat(chunks)
  const { 'content-type': type = '' } = request.headers
  if (!type.startsWith('multipart/')) {
    const body: Json = JSON.parse(raw.toString('utf8'))
    return { body: isObject(body) ? body : {}, files: [] }
  }
  const form = await new Response(raw, { headers: { 'content-type': type } }).formData()
  const body: Record<string, Json> = {}
  const files: Buffer[] = []
  for (const [name, value] of form)
    if (typeof value !== 'string') files.push(Buffer.from(await value.arrayBuffer()))
    else body[name] = name in body ? [...itemsOf(body[name]), value] : value
  return { body, files }
}

const textOf = ({ name, data }: StreamEvent): string =>
  `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

const isStreamed = ({ stream }: JsonObject): boolean => stream === true || stream === 'true'

const jsonOf = (answer: Json) => ({ contentType: 'application/json', body: JSON.stringify(answer) })

function sendError(response: ServerResponse, { path, refusal = '' }: Bill): void {
  const body =
    path === '/v1/messages'
      ? { type: 'error', error: { type: 'invalid_request_error', message: refusal } }
      : { error: { message: refusal, type: 'invalid_request_error', param: null, code: null } }
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
