import { isIP } from 'node:net'
import { Agent, type buildConnector, type Dispatcher } from 'undici'
import { startTimer, within } from '../shared/deadline.js'
import { describeFailure, isRefusedAddress } from './describe-failure.js'
import { createNameResolver, type ResolveName } from './resolve-name.js'
import {
  faultOfTarget,
  faultOfUrl,
  hostOf,
  refusedUrl,
  requireAllowedUrl,
  type UrlRules,
} from './url-rules.js'
import { createVettedConnector } from './vetted-connector.js'

export interface OutboundRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** For all of it: DNS lookup, connection, and the answer to its last byte. */
  timeoutMs: number
}

/**
 * An answer, of which at most the first 64 KiB were read; or why there is none, without details of the network. `isRefused`: our rules
 * forbid the URL or its address, so that nothing was sent.
 */
export type OutboundResult =
  | { status: number; body: Buffer; complete: boolean }
  | { failure: string; isRefused?: true }

/** Calls to URLs that a tenant chose. */
export interface Outbound {
  /** Refuses a URL that the rules forbid, also if its name now resolves to a forbidden address. A name that does not resolve passes. */
  requireUrl(url: string, path: string): Promise<void>
  /** Never rejects. Every call is checked again, by the address that it connects to. Redirects are not followed. */
  post(request: OutboundRequest): Promise<OutboundResult>
  /** For clients of their own: connects to what the rules allow and to nothing else. */
  connectorFor(timeoutMs: number): buildConnector.connector
  close(): Promise<void>
}

export interface OutboundOptions extends UrlRules {
  resolve?: ResolveName
}

const maxAnswerBytes = 64 * 1024
const connectTimeoutMs = 10_000
const lookupTimeoutMs = 3_000

export function createOutbound(options: OutboundOptions): Outbound {
  const { resolve = createNameResolver() } = options
  // Its own agent, so that proxy variables and the global dispatcher do not apply. No limit on connections: calls to one host
  // for different tenants must not wait for each other.
  const agent = new Agent({
    connect: createVettedConnector(options, resolve, connectTimeoutMs),
    connections: null,
    pipelining: 1,
    // One deadline for the whole call instead: these two are per chunk, so an answer in slow small chunks never reaches them.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  return {
    async requireUrl(text, path) {
      requireAllowedUrl(text, path, options)
      const url = new URL(text)
      const host = hostOf(url)
      if (!options.strict || isIP(host) !== 0) return
      const addresses = await within(lookupTimeoutMs, resolve(host), tookTooLong).catch(() => [])
      for (const address of addresses) {
        const fault = faultOfTarget(address, url.protocol, options)
        if (fault !== null) throw refusedUrl(path, fault)
      }
    },
    async post(request) {
      const fault = faultOfUrl(request.url, options)
      return fault === null
        ? await send(agent, request)
        : { failure: `The URL is refused: it ${fault}`, isRefused: true }
    },
    connectorFor: (timeoutMs) => createVettedConnector(options, resolve, timeoutMs),
    close: () => agent.destroy(),
  }
}

function send(agent: Agent, { url, headers, body, timeoutMs }: OutboundRequest): Promise<OutboundResult> {
  return new Promise((resolve) => {
    const { origin, pathname, search } = new URL(url)
    const chunks: Buffer[] = []
    let size = 0
    let status = 0
    let controller: Dispatcher.DispatchController | null = null
    let finished = false
    const finish = (result: OutboundResult) => {
      if (finished) return
      finished = true
      deadline.stop()
      resolve(result)
    }
    const answer = (complete: boolean) => ({
      status,
      body: Buffer.concat(chunks).subarray(0, maxAnswerBytes),
      complete,
    })
    const deadline = startTimer(timeoutMs, () => {
      finish({ failure: `No complete answer within ${timeoutMs / 1_000} s` })
      controller?.abort(new Error('deadline'))
    })

    agent.dispatch(
      { origin, path: pathname + search, method: 'POST', headers, body },
      {
        onRequestStart(started) {
          controller = started
          if (finished) started.abort(new Error('given up before it was sent'))
        },
        onResponseStart(_, code) {
          if (code >= 200) status = code
        },
        onResponseData(started, chunk) {
          chunks.push(chunk)
          size += chunk.length
          if (size < maxAnswerBytes) return
          finish(answer(false))
          started.abort(new Error('read enough'))
        },
        onResponseEnd: () => finish(answer(true)),
        onResponseError: (_, error) =>
          finish({
            failure: describeFailure(error),
            ...(isRefusedAddress(error) && { isRefused: true }),
          }),
      },
    )
  })
}

const tookTooLong = () => new Error('The name was not resolved in time')
