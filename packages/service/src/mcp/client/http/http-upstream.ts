import { randomInt } from 'node:crypto'
import type { JsonObject } from '@tallystick/record/json'
import type { ToolServer } from '../../../resources/mcp-servers/index.js'
import type { UpstreamEnd, UpstreamOwner, UpstreamRequest } from '../contract.js'
import { type Deadline, startDeadline } from '../deadline.js'
import { UnauthorizedFault, UpstreamFault } from '../fault.js'
import { allCapabilities } from '../protocol/sdk.js'
import { type Connection, type Connections, sessionOwnerOf } from './connections.js'
import { createExchanges, type ExchangesOptions } from './exchange.js'
import { type HandshakeResult, performHandshake } from './handshake.js'
import { staleConnection } from './read-refusal.js'

export interface HttpUpstreamOptions extends ExchangesOptions {
  connections: Connections
  /** Returns all headers for requests of this owner, including credentials. Throws an `UpstreamFault`. */
  headersFor(
    server: ToolServer,
    owner: UpstreamOwner,
    refused?: Record<string, string>,
  ): Promise<Record<string, string>>
}

const handshakeTimeoutMs = 30_000

/** Creates the client for MCP servers over HTTP. */
export function createHttpUpstream(options: HttpUpstreamOptions) {
  const { dispatcherFor, connections, clientInfo } = options
  const { exchangeOnce, endSession, close } = createExchanges(options)

  async function send(request: UpstreamRequest, deadline: Deadline): Promise<UpstreamEnd> {
    let isFirst = true
    const onSent = () => {
      if (isFirst) request.channel.onSent()
      isFirst = false
    }
    return await withCredential(request.server, request.owner, (headers) =>
      sendOnConnection(request, deadline, headers, onSent),
    )
  }

  /** Calls `use` with the headers of the owner. If the server refuses a user's credential, the credential is renewed and used once more. */
  async function withCredential<T>(
    server: ToolServer,
    owner: UpstreamOwner,
    use: (headers: Record<string, string>) => Promise<T>,
  ): Promise<T> {
    const headers = await options.headersFor(server, owner)
    try {
      return await use(headers)
    } catch (error) {
      const hasUserCredential = server.auth.type === 'oauth' || server.auth.type === 'header'
      if (!(error instanceof UnauthorizedFault) || !hasUserCredential) throw error
      return await use(await options.headersFor(server, owner, headers))
    }
  }

  /** Sends a request on the owner's connection. A new connection replaces one that the server does not accept any more. */
  async function sendOnConnection(
    request: UpstreamRequest,
    deadline: Deadline,
    headers: Record<string, string>,
    onSent: () => void,
  ): Promise<UpstreamEnd> {
    const { server, owner, channel } = request
    const url = urlOf(server)
    // Older servers receive the capabilities once for the whole session, newer ones with each request.
    const capabilities = channel.canAsk ? channel.capabilities : {}
    const sessionOwner = sessionOwnerOf(server, owner, capabilities)
    for (;;) {
      const { connection, isNew } = await connections.find(server, sessionOwner, (isLegacy) =>
        negotiate(server, headers, capabilities, isLegacy),
      )
      deadline.signal.throwIfAborted()
      const id = randomInt(1, 2 ** 47)
      const end = await exchangeOnce({ request, url, headers, deadline, connection, id, onSent })
      if (end !== staleConnection) return end
      await connections.forget(server, connection)
      if (isNew) throw unknownSession()
    }
  }

  /** Performs a handshake. It has its own deadline, because several calls may wait for it and each may be cancelled. */
  async function negotiate(
    server: ToolServer,
    headers: Record<string, string>,
    capabilities: JsonObject,
    isLegacy: boolean,
  ): Promise<HandshakeResult & { sessionId: string | null }> {
    const dispatcher = dispatcherFor(server)
    const deadline = startDeadline(handshakeTimeoutMs, new AbortController().signal)
    const { signal } = deadline
    const url = urlOf(server)
    return await performHandshake({
      dispatcher,
      url,
      headers,
      clientInfo,
      capabilities,
      isLegacy,
      signal,
    }).finally(deadline.end)
  }

  return {
    send,
    close,

    /** Ends a session at its server, with the credentials of its owner. */
    async endSession(server: ToolServer, owner: UpstreamOwner, connection: Connection): Promise<void> {
      await endSession(server, urlOf(server), await options.headersFor(server, owner), connection)
    },

    /** Calls `use` with the result of a new handshake and with a session that only this call uses. Ends the session afterwards. */
    async withNewSession<T>(
      server: ToolServer,
      owner: UpstreamOwner,
      use: (handshake: HandshakeResult, sendRequest: SendRequest) => Promise<T>,
    ): Promise<T> {
      const { headers, handshake } = await withCredential(server, owner, async (each) => ({
        headers: each,
        handshake: await negotiate(server, each, allCapabilities, false),
      }))
      connections.setVersion(server, handshake.protocolVersion)
      const connection: Connection = { ...handshake, owner: '' }
      const url = urlOf(server)
      const sendRequest: SendRequest = async (request, deadline) => {
        const id = randomInt(1, 2 ** 47)
        const { onSent } = request.channel
        const end = await exchangeOnce({ request, url, headers, deadline, connection, id, onSent })
        if (end === staleConnection) throw unknownSession()
        return end
      }
      try {
        return await use(handshake, sendRequest)
      } finally {
        options.inBackground(endSession(server, url, headers, connection).catch(() => undefined))
      }
    },
  }
}

/** Sends a request. Throws an `UpstreamFault` when there is no answer. */
export type SendRequest = (request: UpstreamRequest, deadline: Deadline) => Promise<UpstreamEnd>

const unknownSession = () =>
  new UpstreamFault('refused', 'The server does not know the session that it has just created')

function urlOf({ transport }: ToolServer): string {
  if (transport.type !== 'http') throw new Error('not a server over HTTP')
  return transport.url
}
