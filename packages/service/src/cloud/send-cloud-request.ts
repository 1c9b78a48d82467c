import { setTimeout as delay } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import type { CloudEnvironment } from '../config/index.js'
import { errorCode } from '../shared/error-code.js'
import { ProxyError } from '../shared/proxy-error.js'
import { CloudIdentityError } from './cloud-identity-error.js'

/** What fetching the credentials of a machine needs. */
export interface CloudContext {
  environment: CloudEnvironment
  /** Milliseconds since 1970. */
  now(): number
  /** For public services, such as STS. Metadata services of the machine are always asked directly, never by a proxy. */
  dispatcher(): Dispatcher
}

interface CloudRequest {
  /** The source, as an error names it. */
  what: string
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers?: Record<string, string>
  body?: string
  /** Null for a metadata service of the machine. */
  dispatcher: Dispatcher | null
}

interface CloudAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const maxAttempts = 3
const firstPauseMs = 100
// A metadata service is next to the machine; a public service is a round trip of the internet away.
const metadataTimeoutMs = 2_000
const publicTimeoutMs = 5_000
const maxAnswerBytes = 256 * 1024

/** Sends a request, and repeats it when it fails or is answered by 429 or 5xx. It ends after 16 seconds at the latest. */
export async function sendCloudRequest(request: CloudRequest): Promise<CloudAnswer> {
  if (request.dispatcher !== null) return await sendUntilAnswered(request, request.dispatcher)
  const own = new Agent()
  try {
    return await sendUntilAnswered(request, own)
  } finally {
    void own.destroy()
  }
}

async function sendUntilAnswered(request: CloudRequest, dispatcher: Dispatcher): Promise<CloudAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await sendOnce(request, dispatcher).catch((cause) => failure(request.what, cause))
    const isFailure = answer instanceof CloudIdentityError
    const isTransient = isFailure || answer.status === 429 || answer.status >= 500
    if (!isTransient || attempt === maxAttempts) {
      if (isFailure) throw answer
      return answer
    }
    await delay(firstPauseMs * 2 ** (attempt - 1))
  }
}

function failure(what: string, cause: unknown): CloudIdentityError {
  const isLate = cause instanceof Error && cause.name === 'TimeoutError'
  const reason = isLate
    ? 'it did not answer in time'
    : cause instanceof ProxyError
      ? cause.message
      : (errorCode(cause) ?? 'its answer is not valid')
  return new CloudIdentityError(`${what} could not be reached (${reason})`, false, cause)
}

async function sendOnce(request: CloudRequest, dispatcher: Dispatcher): Promise<CloudAnswer> {
  const { method, url, headers = {}, body = null } = request
  const { origin, pathname, search } = new URL(url)
  const timeoutMs = request.dispatcher === null ? metadataTimeoutMs : publicTimeoutMs
  const answer = await dispatcher.request({
    ...{ origin, path: pathname + search, method, body },
    headers: { 'accept-encoding': 'identity', ...headers },
    headersTimeout: timeoutMs,
    signal: AbortSignal.timeout(timeoutMs),
  })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer.body) {
    size += chunk.length
    if (size > maxAnswerBytes) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() }
}

/** Throws unless the answer has status 200. */
export function requireSuccess(what: string, { status }: CloudAnswer, reason = ''): void {
  if (status === 200) return
  const isRefused = status >= 400 && status < 500 && status !== 429
  throw new CloudIdentityError(`${what} answered ${status}${reason && ` ${reason}`}`, isRefused)
}
