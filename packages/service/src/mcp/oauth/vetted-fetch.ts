import type { Dispatcher } from 'undici'
import { describeFailure, type Outbound, requireAllowedUrl, type UrlRules } from '../../outbound/index.js'
import { FetchFault } from './fault.js'

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

export interface VettedFetch {
  /** Resolves with an answer whose body is complete. */
  fetch: Fetch
  /** Resolves with an answer without its body. */
  ask: Fetch
  close(): Promise<void>
}

const connectTimeoutMs = 5_000
const defaultTimeoutMs = 10_000
const maxAnswerBytes = 256 * 1024

/** Creates a `fetch` for addresses that the rules allow. They are checked again when connecting. Redirects are not followed. */
export function createVettedFetch(
  outbound: Outbound,
  rules: UrlRules,
  userAgent: string,
  /** The timeout from the connection to the last byte of the answer. */
  timeoutMs = defaultTimeoutMs,
): VettedFetch {
  const agent = outbound.createAgent({ isVetted: true, connectTimeoutMs })

  async function send(url: string | URL, init: RequestInit, maxBytes: number): Promise<Response> {
    try {
      const { href, origin, pathname, search } = new URL(url)
      requireAllowedUrl(href, 'The address', rules)
      const headers = new Headers(init.headers)
      headers.set('user-agent', userAgent)
      // Compressed bodies are not requested, because they could have any size after decompression.
      headers.set('accept-encoding', 'identity')
      const answer = await agent.request({
        origin,
        path: pathname + search,
        method: init.method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(headers),
        body: init.body == null ? null : String(init.body),
        signal: AbortSignal.timeout(timeoutMs),
      })
      return new Response(await readBody(answer.body, maxBytes), {
        status: answer.statusCode,
        headers: keptHeaders(answer.headers),
      })
    } catch (error) {
      throw error instanceof FetchFault ? error : new FetchFault(describe(error, timeoutMs), { cause: error })
    }
  }

  return {
    fetch: (url, init = {}) => send(url, init, maxAnswerBytes),
    ask: (url, init = {}) => send(url, init, 0),
    close: () => agent.destroy(),
  }
}

/** Reads a body. Returns null without reading it when `maxBytes` is 0. */
async function readBody(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer | null> {
  if (maxBytes === 0) {
    body.on('error', () => undefined).destroy()
    return null
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new FetchFault(`The answer has more than ${maxBytes / 1024} KiB`)
    chunks.push(chunk)
  }
  return chunks.length === 0 ? null : Buffer.concat(chunks)
}

/** Returns the headers that are needed. Without `location`, the official package cannot follow a redirect either. */
function keptHeaders(headers: Record<string, string | string[] | undefined>): [string, string][] {
  return ['content-type', 'www-authenticate'].flatMap((name): [string, string][] => {
    const value = headers[name]
    return value === undefined ? [] : [[name, [value].flat().join(', ')]]
  })
}

function describe(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'The call failed'
  if (error.name === 'TimeoutError') return `No complete answer within ${timeoutMs / 1_000} s`
  return error.name === 'ApiError' ? error.message : describeFailure(error)
}
