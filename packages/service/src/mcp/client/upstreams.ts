import type { Outbound } from '../../outbound/index.js'
import type { McpListing, ToolServer } from '../../resources/mcp-servers/index.js'
import type { UpstreamSession, UpstreamSessions } from '../../resources/mcp-sessions/index.js'
import { ApiError } from '../../shared/errors.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'
import type { UpstreamOwner, UpstreamRequest, Upstreams } from './contract.js'
import { headersFor, type ReadCredentialHeaders } from './credentials.js'
import { type Deadline, startDeadline, untilAborted } from './deadline.js'
import { UpstreamFault } from './fault.js'
import { createConnections, ownerPrefixOf } from './http/connections.js'
import type { HandshakeResult } from './http/handshake.js'
import { createHttpUpstream, type SendRequest } from './http/http-upstream.js'
import { listTools, toListingError } from './list-tools.js'
import { serviceOwnerOf } from './owner.js'
import { allCapabilities } from './protocol/sdk.js'
import { createStdioServers } from './stdio/stdio-servers.js'

export interface UpstreamsOptions {
  outbound: Outbound
  /** The version of this service, which servers see. */
  version: string
  yieldToEventLoop: YieldToEventLoop
  sessions: UpstreamSessions
  servers: {
    list(tenantId: string): Promise<readonly ToolServer[]>
    /** Returns the headers that all calls to the server have. */
    headersOf(server: ToolServer): Promise<Readonly<Record<string, string>>>
  }
  readCredentialHeaders: ReadCredentialHeaders
  /** Called when a server notifies that its tools have changed. */
  onListChanged(server: ToolServer, owner: UpstreamOwner): void
  /** Called when a server answered a request. */
  onAnswer(server: ToolServer, owner: UpstreamOwner): void
  /** Called with a line that the process of a server wrote to stderr, for the log. */
  onOutput(server: string, text: string): void
  onError(error: unknown): void
}

const connectTimeoutMs = 10_000
const maxHeaderBytes = 32_768
const listTimeoutMs = 60_000

/** Creates the client that calls MCP servers over HTTP and stdio. */
export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { yieldToEventLoop, version, servers, sessions, readCredentialHeaders, onListChanged, onError } =
    options
  // Bounded: requests that end sessions at their servers, each with a timeout.
  const background = new Set<Promise<unknown>>()
  // Addresses that a tenant chose are vetted. The operator's file may name any address.
  const [vetted, unvetted] = [
    options.outbound.createAgent({ ...agentOptions, isVetted: true }),
    options.outbound.createAgent({ ...agentOptions, isVetted: false }),
  ]
  const userAgent = `tallystick/${version}`
  const connections = createConnections({ sessions, onError })
  const inBackground = (work: Promise<unknown>) => {
    background.add(work)
    void work.finally(() => background.delete(work))
  }
  const clientInfo = { name: 'tallystick', version }
  const http = createHttpUpstream({
    dispatcherFor: ({ id }) => (id.startsWith('file:') ? unvetted : vetted),
    connections,
    clientInfo,
    yieldToEventLoop,
    headersFor: (server, owner, refused) =>
      headersFor(server, owner, { headersOf: servers.headersOf, readCredentialHeaders, userAgent }, refused),
    onListChanged,
    inBackground,
  })

  async function endSessionAtServer(server: ToolServer, session: UpstreamSession): Promise<void> {
    const { keyId, userId, protocolVersion, sessionId } = session
    const owner = { tenantId: server.tenantId, keyId, userId, session: null, authorization: null }
    await http.endSession(server, owner, { protocolVersion, sessionId, owner: '' })
  }

  const stdio = createStdioServers({
    clientInfo,
    yieldToEventLoop,
    onOutput: options.onOutput,
    onListChanged: (server) => onListChanged(server, serviceOwnerOf(server.tenantId)),
  })

  /** Sends a request over the transport of its server. Throws an `UpstreamFault`. */
  const send: SendRequest = async (request, deadline) => {
    const { server } = request
    const sending =
      server.transport.type === 'stdio'
        ? stdio.serverOf(server).send(request, deadline)
        : http.send(request, deadline)
    return await untilAborted(sending, deadline.signal)
  }

  /** Calls `use` with the result of a handshake and a function that sends requests to the server. */
  async function withServer(
    server: ToolServer,
    owner: UpstreamOwner,
    deadline: Deadline,
    use: (handshake: HandshakeResult, sendRequest: SendRequest) => Promise<McpListing>,
  ): Promise<McpListing> {
    if (server.transport.type === 'http') return await http.withNewSession(server, owner, use)
    return await use(await stdio.serverOf(server).handshake(deadline), send)
  }

  return {
    async request(request) {
      const deadline = startDeadline(request.timeoutMs, request.signal)
      try {
        const end = await send(request, deadline)
        options.onAnswer(request.server, request.owner)
        return end
      } catch (error) {
        const fault = deadline.signal.aborted ? deadline.signal.reason : error
        if (!(fault instanceof UpstreamFault)) {
          onError(error)
          return { type: 'fault', cause: error }
        }
        // A header that cannot be decrypted is a fault of this service, not of the server.
        const { cause } = fault
        const isServiceFault = cause instanceof ApiError && cause.serviceFault !== null
        return isServiceFault ? { type: 'fault', cause } : fault.toEnd()
      } finally {
        deadline.end()
      }
    },
    async list(server, owner) {
      const deadline = startDeadline(listTimeoutMs, new AbortController().signal)
      try {
        const listing = withServer(server, owner, deadline, async (handshake, sendRequest) => {
          const requestPage = (paramsJson: string, maxBytes: number) =>
            sendRequest(listRequest(server, owner, paramsJson, maxBytes), deadline)
          const hasTools = handshake.capabilities.tools !== undefined
          const tools = hasTools ? await listTools(requestPage, yieldToEventLoop) : []
          const { protocolVersion, serverInfo, capabilities, instructions } = handshake
          return { protocolVersion, serverInfo, capabilities, instructions, tools }
        })
        return await untilAborted(listing, deadline.signal)
      } catch (error) {
        throw toListingError(error)
      } finally {
        deadline.end()
      }
    },
    async endSession(tenantId, session) {
      const prefix = ownerPrefixOf(session)
      connections.forgetOwner(prefix)
      const taken = await sessions.take(tenantId, prefix)
      if (taken.length === 0) return
      const known = await servers.list(tenantId)
      for (const { serverId, session: ended } of taken) {
        const server = known.find(({ id }) => id === serverId)
        // If the server cannot be reached, the session expires there.
        if (server?.transport.type === 'http')
          inBackground(endSessionAtServer(server, ended).catch(() => undefined))
      }
    },
    keepProcesses: stdio.keepOnly,
    async close() {
      http.close()
      await stdio.close()
      await Promise.allSettled(background)
      await Promise.all([vetted.destroy(), unvetted.destroy()])
    },
  }
}

const agentOptions = {
  connectTimeoutMs,
  // The deadline of a request covers headers and body.
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: maxHeaderBytes,
}

const listRequest = (
  server: ToolServer,
  owner: UpstreamOwner,
  paramsJson: string,
  maxBytes: number,
): UpstreamRequest => ({
  server,
  owner,
  method: 'tools/list',
  name: '',
  paramsJson,
  channel: silentChannel,
  timeoutMs: listTimeoutMs,
  maxBytes,
  signal: new AbortController().signal,
})

/** The channel of a request that no caller made. */
const silentChannel = {
  capabilities: allCapabilities,
  canAsk: false,
  onSent: () => undefined,
  onNotification: () => undefined,
  ask: () => Promise.reject(new Error('this request has no caller to ask')),
}
