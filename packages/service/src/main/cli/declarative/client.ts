import { type Dispatcher, fetch, type RequestInit, type Response } from 'undici'
import { CommandFailure } from './failure.js'
import { isObject, type Json } from './json.js'

const timeoutMs = 60_000

/** Calls the management API with the key of the user, so that every change is authorised and audited as any other. */
export interface Client {
  get(path: string): Promise<unknown>
  /** Undefined when there is no such object. */
  find(path: string): Promise<Json | undefined>
  list(path: string): Promise<Json[]>
  post(path: string, body: unknown, idempotencyKey?: string): Promise<Json>
  patch(path: string, body: unknown): Promise<Json>
  delete(path: string): Promise<void>
}

/** The service refused a request. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** `dispatcher`: leads through the proxies of the environment. */
export function createClient(url: string, key: string, dispatcher: Dispatcher): Client {
  const base = url.replace(/\/+$/, '')

  async function send(
    method: string,
    path: string,
    body?: unknown,
    idempotencyKey?: string,
  ): Promise<unknown> {
    const response = await fetchOrFail(`${base}${path}`, {
      method,
      dispatcher,
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
      headers: {
        authorization: `Bearer ${key}`,
        // A connection that is kept may be closed by the service or a proxy just when it is used again.
        connection: 'close',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = readJson(text)
    if (response.ok) return answer
    throw new Refusal(response.status, messageOf(answer) ?? `${method} ${path} answered ${response.status}`)
  }

  async function sendForObject(method: string, path: string, body: unknown, idempotencyKey?: string) {
    const answer = await send(method, path, body, idempotencyKey)
    if (isObject(answer)) return answer
    // Without content.
    if (answer === null) return {}
    throw new CommandFailure([
      `${method} ${path} did not answer with an object; is ${base} a Tallystick service?`,
    ])
  }

  return {
    get: (path) => send('GET', path),
    async find(path) {
      try {
        return await sendForObject('GET', path, undefined)
      } catch (error) {
        if (error instanceof Refusal && error.status === 404) return undefined
        throw error
      }
    },
    async list(path) {
      const items: Json[] = []
      const withQuery = (query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`
      for (let next: string | null = path; next !== null; ) {
        const page = await send('GET', next)
        const data = isObject(page) ? page.data : page
        if (!Array.isArray(data)) throw new CommandFailure([`GET ${path} did not answer with a list`])
        items.push(...data.filter(isObject))
        const cursor: unknown = isObject(page) ? page.nextCursor : null
        next = typeof cursor === 'string' ? withQuery(`limit=200&cursor=${encodeURIComponent(cursor)}`) : null
      }
      return items
    },
    post: (path, body, idempotencyKey) => sendForObject('POST', path, body, idempotencyKey),
    patch: (path, body) => sendForObject('PATCH', path, body),
    delete: async (path) => void (await send('DELETE', path)),
  }
}

async function fetchOrFail(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : String(cause)
    throw new CommandFailure([
      `${new URL(url).origin} cannot be reached (${reason}). Set --url or TALLYSTICK_URL to the address of the service`,
    ])
  }
}

function readJson(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return null
  }
}

function messageOf(answer: unknown): string | null {
  const error = isObject(answer) && isObject(answer.error) ? answer.error : null
  return error !== null && typeof error.message === 'string' ? error.message : null
}
