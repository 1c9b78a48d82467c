import { randomInt } from 'node:crypto'
import type { JsonObject } from '@tallystick/record/json'
import type { McpServerTerms } from '../../../resources/mcp-servers/index.js'
import type { UpstreamEnd, UpstreamOwner, UpstreamRequest } from '../contract.js'
import { type Deadline, startDeadline } from '../deadline.js'
import { UnauthorizedFault, UpstreamFault } from '../fault.js'
import { allCapabilities } from '../protocol/sdk.js'
import { type Connection, type Connections, sessionOwnerOf } from './connections.js'
import { createExchanges, type ExchangesOptions } from './exchange.js'
import { type Introduction, shakeHands } from './handshake.js'
import { stale } from './read-refusal.js'

export interface HttpUpstreamOptions extends ExchangesOptions {
  connections: Connections
  /** Every header that a request of this owner goes out with, credentials among them. Throws an `UpstreamFault`. */
  headersFor(
    server: McpServerTerms,
    owner: UpstreamOwner,
    refused?: Record<string, string>,
  ): Promise<Record<string, string>>
}

const handshakeTimeoutMs = 30_000

export function createHttpUpstream(options: HttpUpstreamOptions) {
  const { dispatcherFor, connections, clientInfo } = options
  const { exchangeOnce, endSession, close } = createExchanges(options)

  async function request(asked: UpstreamRequest, deadline: Deadline): Promise<UpstreamEnd> {
    let isFirst = true
    const onSent = () => {
      if (isFirst) asked.channel.onSent()
      isFirst = false
    }
    return await withCredential(asked.server, asked.owner, (headers) =>
      converse(asked, deadline, headers, onSent),
    )
  }

  /** A credential that the server refuses is renewed once, where it can be: a token may have ended before its time. */
  async function withCredential<T>(
    server: McpServerTerms,
    owner: UpstreamOwner,
    use: (headers: Record<string, string>) => Promise<T>,
  ): Promise<T> {
    const headers = await options.headersFor(server, owner)
    try {
      return await use(headers)
    } catch (error) {
      const isUsers = server.auth.type === 'oauth' || server.auth.type === 'header'
      if (!(error instanceof UnauthorizedFault) || !isUsers) throw error
      return await use(await options.headersFor(server, owner, headers))
    }
  }

  async function converse(
    asked: UpstreamRequest,
    deadline: Deadline,
    headers: Record<string, string>,
    onSent: () => void,
  ): Promise<UpstreamEnd> {
    const { server, owner, channel } = asked
    const url = urlOf(server)
    // Of what older servers are told once; newer ones hear it with each request.
    const told = channel.canAsk ? channel.capabilities : {}
    const sessionOwner = sessionOwnerOf(server, owner, told)
    for (;;) {
      const { connection, isNew } = await connections.find(server, sessionOwner, (isLegacy) =>
        introduce(server, headers, told, isLegacy),
      )
      deadline.signal.throwIfAborted()
      const id = randomInt(1, 2 ** 47)
      const end = await exchangeOnce({ request: asked, url, headers, deadline, connection, id, onSent })
      if (end !== stale) return end
      await connections.forget(server, connection)
      if (isNew) throw new UpstreamFault('refused', 'The server does not know the session that it gave')
    }
  }

  /** Within a time of its own: several calls may wait for it, and each may be cancelled. */
  async function introduce(
    server: McpServerTerms,
    headers: Record<string, string>,
    capabilities: JsonObject,
    isLegacy: boolean,
  ): Promise<Introduction & { sessionId: string | null }> {
    const dispatcher = dispatcherFor(server)
    const deadline = startDeadline(handshakeTimeoutMs, new AbortController().signal)
    const { signal } = deadline
    const url = urlOf(server)
    return await shakeHands({ dispatcher, url, headers, clientInfo, capabilities, isLegacy, signal }).finally(
      deadline.end,
    )
  }

  return {
    request,
    close,

    /** For whose session it was given. */
    async endSession(server: McpServerTerms, owner: UpstreamOwner, connection: Connection): Promise<void> {
      await endSession(server, urlOf(server), await options.headersFor(server, owner), connection)
    },

    /** Speaks to the server with a handshake and a session of its own: what it says of itself now. */
    async visit<T>(
      server: McpServerTerms,
      owner: UpstreamOwner,
      use: (introduction: Introduction, ask: Ask) => Promise<T>,
    ): Promise<T> {
      const { headers, introduction } = await withCredential(server, owner, async (each) => ({
        headers: each,
        introduction: await introduce(server, each, allCapabilities, false),
      }))
      connections.noteVersion(server, introduction.protocolVersion)
      const connection: Connection = { ...introduction, owner: '' }
      const url = urlOf(server)
      const ask: Ask = async (asked, deadline) => {
        const id = randomInt(1, 2 ** 47)
        const { onSent } = asked.channel
        const exchange = { request: asked, url, headers, deadline, connection, id, onSent }
        const end = await exchangeOnce(exchange)
        if (end === stale)
          throw new UpstreamFault('refused', 'The server does not know the session that it gave')
        return end
      }
      try {
        return await use(introduction, ask)
      } finally {
        options.inBackground(endSession(server, url, headers, connection).catch(() => undefined))
      }
    },
  }
}

/** Throws an `UpstreamFault` where there is no answer. */
export type Ask = (request: UpstreamRequest, deadline: Deadline) => Promise<UpstreamEnd>

function urlOf({ reach }: McpServerTerms): string {
  if (reach.type !== 'http') throw new Error('not a server over HTTP')
  return reach.url
}
