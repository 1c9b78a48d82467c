import { isIP } from 'node:net'
import type { Dispatcher } from 'undici'
import { startTimer, within } from '../shared/deadline.js'
import { type Connected, type ConnectTarget, connectTo } from './connect.js'
import { type AgentOptions, createAgents } from './create-agents.js'
import { describeFailure, isRefusedAddress } from './describe-failure.js'
import type { ProxySettings } from './proxy/proxies.js'
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
  /** POST unless it says otherwise. */
  method?: 'POST' | 'PUT'
  headers: Record<string, string>
  body: string | Buffer
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

/** Requests to other hosts, through the proxies that the operator configured. */
export interface Outbound {
  /** Refuses a URL that the rules forbid, also if its name now resolves to a forbidden address. A name that does not resolve passes. */
  requireUrl(url: string, path: string): Promise<void>
  /** Never rejects. Every call is checked again, by the address that it connects to. Redirects are not followed. */
  post(request: OutboundRequest): Promise<OutboundResult>
  /** Connects for another protocol than HTTP, without a proxy, to what the rules allow. Never rejects. */
  connect(target: ConnectTarget): Promise<Connected>
  /** For clients of their own. */
  createAgent(options: AgentOptions): Dispatcher
  /** For occasional requests to addresses that the operator chose. */
  operator: Dispatcher
  close(): Promise<void>
}

export interface OutboundOptions extends UrlRules {
  resolve?: ResolveName
  /** Null or left out: every host is reached directly. */
  proxies?: ProxySettings | null
}

const maxAnswerBytes = 64 * 1024
const connectTimeoutMs = 10_000
const lookupTimeoutMs = 3_000

export function createOutbound(options: OutboundOptions): Outbound {
  const { resolve = createNameResolver() } = options
  const createAgent = createAgents({ rules: options, resolve, proxies: options.proxies ?? null })
  const agent = createAgent({
    isVetted: true,
    connectTimeoutMs,
    // One deadline for the whole call instead: these two are per chunk, so an answer in slow small chunks never reaches them.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const operator = createAgent({ isVetted: false, connectTimeoutMs })

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
    connect: (target) => connectTo(createVettedConnector(options, resolve, connectTimeoutMs, target), target),
    createAgent,
    operator,
    async close() {
      await Promise.all([agent.destroy(), operator.destroy()])
    },
  }
}

function send(
  agent: Dispatcher,
  { url, method = 'POST', headers, body, timeoutMs }: OutboundRequest,
): Promise<OutboundResult> {
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
      { origin, path: pathname + search, method, headers, body },
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
