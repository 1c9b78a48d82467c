import type { Dispatcher } from 'undici'
import { dialects } from './dialects/index.js'
import type { UpstreamHeaders, UpstreamRequest } from './transport.js'
import { joinQueries } from './upstream-path.js'
import type { AuthorizeTools, Vendor } from './vendors/index.js'

export interface AskParts {
  vendor: Vendor
  /** Of the operator or the tenant. */
  headers: Readonly<Record<string, string>>
  tools: AuthorizeTools
  dispatcher(): Dispatcher
}

/** Something that a provider is asked beside calls. */
export interface Question {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** JSON, unless it says something else. */
  body?: { bytes: Buffer; contentType?: string }
  /** What proves who asks; null where nothing does. */
  credential: string | null
  timeoutMs: number
  /** More of an answer is not read; 0: only its status counts. */
  maxAnswerBytes: number
}

export interface AskedAnswer {
  status: number
  headers: UpstreamHeaders
  body: Buffer
}

/** Throws as undici does, and when the answer is too long. */
export async function askProvider(
  { vendor, headers: ownHeaders, tools, dispatcher }: AskParts,
  { method, path: asked, body, credential, timeoutMs, maxAnswerBytes }: Question,
): Promise<AskedAnswer> {
  const { base } = tools.site
  const path = joinQueries(asked, base.search.slice(1))
  const request = anyRequest(vendor)
  const headers = {
    ...(body && { 'content-type': body.contentType ?? 'application/json' }),
    ...request.dialect.defaultHeaders,
    ...ownHeaders,
  }
  const bytes = body?.bytes ?? null
  const outgoing = { request, method, url: new URL(path, base), headers, body: bytes ?? Buffer.alloc(0) }
  const proof = credential === null ? {} : await vendor.authorize(outgoing, credential, tools)
  const signal = AbortSignal.timeout(timeoutMs)
  const answer = await dispatcher().request({
    ...{ origin: base.origin, path, method, headers: { ...headers, ...proof }, body: bytes },
    ...{ headersTimeout: timeoutMs, signal },
  })
  const { statusCode: status } = answer
  if (maxAnswerBytes === 0) {
    answer.body.on('error', () => undefined).destroy()
    return { status, headers: answer.headers, body: Buffer.alloc(0) }
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer.body) {
    size += chunk.length
    if (size > maxAnswerBytes) throw new Error(`the answer has more than ${maxAnswerBytes} bytes`)
    chunks.push(chunk)
  }
  return { status, headers: answer.headers, body: Buffer.concat(chunks, size) }
}

/** In the dialect that the vendor is best at: some prove who calls in another way for each. */
function anyRequest({ dialects: names }: Vendor): UpstreamRequest {
  const dialect = Object.values(dialects).find(({ name }) => name === names[0]) ?? dialects.chat
  return {
    ...{ dialect, model: 'probe', stream: false, contextWindow: null, body: Buffer.alloc(0), headers: {} },
    ...{ query: '', callerAuthorization: null },
  }
}
