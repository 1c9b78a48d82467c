import { readError, TallystickError } from './errors.js'

export interface ClientOptions {
  /** The address of the service, such as `https://tallystick.example.com`. It may have a path. */
  baseUrl: string
  /** A virtual key, `tallystick_sk_…`. Without one, a browser sends the cookie of its session. */
  apiKey?: string
  /** The time limit of each attempt in milliseconds. Default: 60,000. For a stream it ends with the headers. */
  timeoutMs?: number
  /** How often a request is repeated after a failure. Default: 2. */
  maxRetries?: number
  /** Headers of every request. */
  headers?: Record<string, string>
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

export interface RequestOptions {
  signal?: AbortSignal
  timeoutMs?: number
  maxRetries?: number
  headers?: Record<string, string>
  /** The client makes one for every operation that accepts it. Pass your own to repeat a request in another process. */
  idempotencyKey?: string
}

export type QueryValues = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>

export interface RawRequest extends RequestOptions {
  query?: QueryValues
  /** Sent as JSON. */
  body?: unknown
}

interface Attempt {
  url: string
  init: RequestInit
  isRepeatable: boolean
  timeoutMs: number
}

/** Sends a request until it succeeds, and passes the answer to `read`. The time limit includes reading. */
export async function send<Result>(
  client: ClientOptions,
  method: string,
  path: string,
  request: RawRequest,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  const attempt = prepare(client, method, path, request)
  const maxRetries = request.maxRetries ?? client.maxRetries ?? 2
  for (let count = 0; ; count++) {
    try {
      return await tryOnce(client.fetch ?? globalThis.fetch, attempt, request.signal, read)
    } catch (error) {
      const delayMs = count < maxRetries ? retryDelay(error, count, attempt.isRepeatable) : null
      if (delayMs === null) throw error
      await pause(delayMs, request.signal)
    }
  }
}

function prepare(client: ClientOptions, method: string, path: string, request: RawRequest): Attempt {
  const url = new URL(client.baseUrl.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(request.query ?? {}))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  const headers = new Headers({
    accept: 'application/json, */*;q=0.5',
    ...client.headers,
    ...request.headers,
  })
  if (client.apiKey !== undefined) headers.set('authorization', `Bearer ${client.apiKey}`)
  if (request.idempotencyKey !== undefined) headers.set('idempotency-key', request.idempotencyKey)
  if (request.body !== undefined) headers.set('content-type', 'application/json')
  return {
    url: url.href,
    init: {
      method,
      headers,
      // Redirects are refused: fetch would send the key to another path of the same host, and a POST as a GET.
      redirect: 'error',
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    },
    isRepeatable: ['GET', 'PUT', 'DELETE'].includes(method) || headers.has('idempotency-key'),
    timeoutMs: request.timeoutMs ?? client.timeoutMs ?? 60_000,
  }
}

async function tryOnce<Result>(
  fetch: typeof globalThis.fetch,
  { url, init, timeoutMs }: Attempt,
  signal: AbortSignal | undefined,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  signal?.addEventListener('abort', abort)
  let isStream = false
  try {
    const response = await fetch(url, { ...init, signal: controller.signal })
    if (!response.ok) throw await readError(response)
    const result = await read(response)
    // A stream is read later, and the signal of the caller still ends it.
    isStream = !response.bodyUsed && response.body !== null
    return result
  } catch (error) {
    if (error instanceof TallystickError) throw error
    signal?.throwIfAborted()
    if (controller.signal.aborted)
      throw new TallystickError('timeout', `No answer from ${url} within ${timeoutMs} ms`)
    if (error instanceof SyntaxError)
      throw new TallystickError('unexpected_answer', `The answer from ${url} is not JSON: check the base URL`)
    const reason = error instanceof Error ? String(error.cause ?? error.message) : String(error)
    throw new TallystickError('connection_failed', `No answer from ${url}: ${reason}`, { cause: error })
  } finally {
    clearTimeout(timer)
    if (!isStream) signal?.removeEventListener('abort', abort)
  }
}

// The service or a proxy in front of it is away for a moment.
const transientStatuses = [502, 503, 504]
const longestWaitSeconds = 60

/** Milliseconds until the next attempt, or null if there should be none. */
function retryDelay(error: unknown, count: number, isRepeatable: boolean): number | null {
  if (!(error instanceof TallystickError)) return null
  const { code, status = 0, retryAfter = 0 } = error
  const isTransient = code === 'connection_failed' || code === 'timeout' || transientStatuses.includes(status)
  // A rate limit refuses a request before it has any effect, so every request may be repeated after that.
  if (status !== 429 && !(isTransient && isRepeatable)) return null
  if (retryAfter > longestWaitSeconds) return null
  const backoffMs = Math.min(500 * 2 ** count, 8_000) * (0.75 + Math.random() / 4)
  return Math.max(retryAfter * 1_000, backoffMs)
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort)
  })
}
