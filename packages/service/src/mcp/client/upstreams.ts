import { Agent, type Dispatcher } from 'undici'
import type { Outbound } from '../../outbound/index.js'
import type { McpListing, McpServerTerms } from '../../resources/mcp-servers/index.js'
import type { UpstreamSession, UpstreamSessions } from '../../resources/mcp-sessions/index.js'
import { ApiError } from '../../shared/errors.js'
import type { WaitForTurn } from '../../shared/turns.js'
import type { UpstreamOwner, UpstreamRequest, Upstreams } from './contract.js'
import { type CredentialHeaders, headersFor } from './credentials.js'
import { type Deadline, startDeadline, untilAborted } from './deadline.js'
import { UpstreamFault } from './fault.js'
import { createConnections, ownerPrefixOf } from './http/connections.js'
import type { Introduction } from './http/handshake.js'
import { type Ask, createHttpUpstream } from './http/http-upstream.js'
import { listTools, toApiError } from './list-tools.js'
import { nobodyOf } from './owner.js'
import { allCapabilities } from './protocol/sdk.js'
import { createStdioServers } from './stdio/stdio-server.js'

export interface UpstreamsOptions {
  outbound: Outbound
  /** What the service is called by servers. */
  version: string
  waitForTurn: WaitForTurn
  sessions: UpstreamSessions
  servers: {
    list(tenantId: string): Promise<readonly McpServerTerms[]>
    /** Headers that all calls to the server have. */
    headersOf(server: McpServerTerms): Promise<Readonly<Record<string, string>>>
  }
  credentialHeaders: CredentialHeaders
  /** A server said that its tools have changed. */
  onListChanged(server: McpServerTerms, owner: UpstreamOwner): void
  /** A server answered a request. */
  onAnswer(server: McpServerTerms, owner: UpstreamOwner): void
  /** What the process of a server writes beside its answers, for the log. */
  onOutput(server: string, text: string): void
  onError(error: unknown): void
}

const connectTimeoutMs = 10_000
const maxHeaderBytes = 32_768
const listTimeoutMs = 60_000

export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { waitForTurn, version, servers, sessions, credentialHeaders, onListChanged, onError } = options
  // Bounded: sessions that are being ended at their servers.
  const background = new Set<Promise<unknown>>()
  // Addresses that a tenant chose are vetted; the operator's own file may name any.
  const [vetted, unvetted] = [
    createAgent(options.outbound.connectorFor(connectTimeoutMs)),
    createAgent({ timeout: connectTimeoutMs }),
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
    waitForTurn,
    headersFor: (server, owner, refused) =>
      headersFor(server, owner, { headersOf: servers.headersOf, credentialHeaders, userAgent }, refused),
    onListChanged,
    inBackground,
  })

  async function endAtServer(server: McpServerTerms, session: UpstreamSession): Promise<void> {
    const { keyId, userId, protocolVersion, sessionId } = session
    const owner = { tenantId: server.tenantId, keyId, userId, session: null, authorization: null }
    await http.endSession(server, owner, { protocolVersion, sessionId, owner: '' })
  }

  const stdio = createStdioServers({
    clientInfo,
    waitForTurn,
    onOutput: options.onOutput,
    onListChanged: (server) => onListChanged(server, nobodyOf(server.tenantId)),
  })

  /** Throws an `UpstreamFault`. */
  const send: Ask = async (request, deadline) => {
    const { server } = request
    const answering =
      server.reach.type === 'stdio'
        ? stdio.serverOf(server).request(request, deadline)
        : http.request(request, deadline)
    return await untilAborted(answering, deadline.signal)
  }

  async function visit(
    server: McpServerTerms,
    owner: UpstreamOwner,
    deadline: Deadline,
    use: (introduction: Introduction, ask: Ask) => Promise<McpListing>,
  ): Promise<McpListing> {
    if (server.reach.type === 'http') return await http.visit(server, owner, use)
    return await use(await stdio.serverOf(server).introduction(deadline), send)
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
        // A header that cannot be decrypted says nothing of the server.
        const { cause } = fault
        const isOwn = cause instanceof ApiError && cause.serviceFault !== null
        return isOwn ? { type: 'fault', cause } : fault.toEnd()
      } finally {
        deadline.end()
      }
    },
    async list(server, owner) {
      const deadline = startDeadline(listTimeoutMs, new AbortController().signal)
      try {
        const listing = visit(server, owner, deadline, async (introduction, ask) => {
          const askForPage = (paramsJson: string, maxBytes: number) =>
            ask(listRequest(server, owner, paramsJson, maxBytes), deadline)
          const hasTools = introduction.capabilities.tools !== undefined
          const tools = hasTools ? await listTools(askForPage, waitForTurn) : []
          const { protocolVersion, serverInfo, capabilities, instructions } = introduction
          return { protocolVersion, serverInfo, capabilities, instructions, tools }
        })
        return await untilAborted(listing, deadline.signal)
      } catch (error) {
        throw toApiError(error)
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
        // A server that cannot be told forgets a session in its own time.
        if (server?.reach.type === 'http') inBackground(endAtServer(server, ended).catch(() => undefined))
      }
    },
    async close() {
      http.close()
      await stdio.close()
      await Promise.allSettled(background)
      await Promise.all([vetted.destroy(), unvetted.destroy()])
    },
  }
}

function createAgent(connect: Agent.Options['connect']): Dispatcher {
  return new Agent({
    ...(connect !== undefined && { connect }),
    // Calls of different tenants to one host do not wait for each other.
    connections: null,
    pipelining: 1,
    // One deadline for all of it instead.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
  })
}

const listRequest = (
  server: McpServerTerms,
  owner: UpstreamOwner,
  paramsJson: string,
  maxBytes: number,
): UpstreamRequest => ({
  server,
  owner,
  method: 'tools/list',
  name: '',
  paramsJson,
  channel: silentLine,
  timeoutMs: listTimeoutMs,
  maxBytes,
  signal: new AbortController().signal,
})

/** Of a request that no caller made. */
const silentLine = {
  capabilities: allCapabilities,
  canAsk: false,
  onSent: () => undefined,
  onNotification: () => undefined,
  ask: () => Promise.reject(new Error('nobody can be asked')),
}
