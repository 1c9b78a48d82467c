import type { Dispatcher } from 'undici'
import { endpoints } from './endpoints/index.js'
import type { UpstreamHeaders, UpstreamRequest } from './provider.js'
import { joinQueries } from './transport/join-queries.js'
import type { AuthorizeTools, Vendor } from './vendors/index.js'

export interface ProviderRequestParts {
  vendor: Vendor
  /** Headers that the operator or the tenant configured. */
  headers: Readonly<Record<string, string>>
  tools: AuthorizeTools
  dispatcher(): Dispatcher
}

/** A request to a provider that is not a call, such as a check or a batch operation. */
export interface ProviderRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** JSON, unless `contentType` names another type. */
  body?: { bytes: Buffer; contentType?: string }
  /** The credential to send; null when the request needs none. */
  credential: string | null
  timeoutMs: number
  /** The longest answer that is read. With 0, only the status is read. */
  maxAnswerBytes: number
}

export interface ProviderResponse {
  status: number
  headers: UpstreamHeaders
  body: Buffer
}

/** Sends one request to a provider. Throws undici's errors, and when the answer is too long. */
export async function sendProviderRequest(
  { vendor, headers: configuredHeaders, tools, dispatcher }: ProviderRequestParts,
  { method, path: requestPath, body, credential, timeoutMs, maxAnswerBytes }: ProviderRequest,
): Promise<ProviderResponse> {
  const { base } = tools.site
  const path = joinQueries(requestPath, base.search.slice(1))
  const request = probeRequest(vendor)
  const headers = {
    ...(body && { 'content-type': body.contentType ?? 'application/json' }),
    ...request.dialect.defaultHeaders,
    ...configuredHeaders,
  }
  const bytes = body?.bytes ?? null
  const outgoing = { request, method, url: new URL(path, base), headers, body: bytes ?? Buffer.alloc(0) }
  const send = async () => {
    const authHeaders = credential === null ? {} : await vendor.authorize(outgoing, credential, tools)
    return await dispatcher().request({
      ...{ origin: base.origin, path, method, headers: { ...headers, ...authHeaders }, body: bytes },
      ...{ headersTimeout: timeoutMs, signal: AbortSignal.timeout(timeoutMs) },
    })
  }
  let answer = await send()
  const isRefused = answer.statusCode === 401 || answer.statusCode === 403
  if (isRefused && credential !== null && tools.forgetToken(credential)) {
    await answer.body.dump()
    answer = await send()
  }
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

/** A request in the vendor's preferred dialect: some vendors authenticate differently in each dialect. */
function probeRequest({ dialects: names }: Vendor): UpstreamRequest {
  const dialect = Object.values(endpoints).find(({ name }) => name === names[0]) ?? endpoints.chat
  return {
    ...{ dialect, model: 'probe', stream: false, contextWindow: null, body: Buffer.alloc(0), headers: {} },
    ...{ query: '', callerAuthorization: null },
  }
}
