import { isObject, type JsonObject } from '@tallystick/record/json'
import type { Dispatcher } from 'undici'
import { ApiError } from '../../shared/errors.js'
import { ProxyError } from '../../shared/proxy-error.js'
import { TransportError } from '../transport/transport-failure.js'

const timeoutMs = 10_000
const maxAnswerBytes = 64 * 1024

/** The token endpoint rejected the credential. */
export class TokenRefusedError extends TransportError {
  constructor(
    provider: string,
    readonly status: number,
  ) {
    const message = `The token endpoint of provider ${provider} answered ${status}: it refused this service's own credential`
    super(new ApiError('upstream_error', message), 'credential')
    this.name = 'TokenRefusedError'
  }
}

/** Posts to a token endpoint. Its error messages are not repeated, because they may describe the account. */
export async function callTokenEndpoint(
  dispatcher: Dispatcher,
  provider: string,
  request: { url: string; headers: Record<string, string>; body: string },
): Promise<JsonObject> {
  const { origin, pathname, search } = new URL(request.url)
  let status: number
  let text: string
  try {
    const answer = await dispatcher.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { accept: 'application/json', 'accept-encoding': 'identity', ...request.headers },
      body: request.body,
      headersTimeout: timeoutMs,
      signal: AbortSignal.timeout(timeoutMs),
    })
    status = answer.statusCode
    text = await readText(answer.body)
  } catch (cause) {
    const reason = cause instanceof ProxyError ? `: ${cause.message}` : ''
    throw unreachable(provider, `could not be reached${reason}`, cause)
  }
  if (status >= 400 && status < 500 && status !== 429) throw new TokenRefusedError(provider, status)
  if (status !== 200) throw unreachable(provider, `answered ${status}`)
  const answer = parse(text)
  if (answer === null) throw unreachable(provider, 'sent an answer that is not a JSON object')
  return answer
}

const unreachable = (provider: string, what: string, cause?: unknown) =>
  new TransportError(
    new ApiError('upstream_error', `The token endpoint of provider ${provider} ${what}`, {}, { cause }),
    'connect',
  )

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxAnswerBytes) throw new Error('the answer is too large')
  }
  return Buffer.concat(chunks).toString()
}

function parse(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
