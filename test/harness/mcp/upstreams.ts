import type {
  UpstreamChannel,
  UpstreamRequest,
  Upstreams,
  UpstreamsOptions,
} from '../../../packages/service/src/mcp/client/index.js'
import { createUpstreams } from '../../../packages/service/src/mcp/client/index.js'
import { createOutbound } from '../../../packages/service/src/outbound/index.js'
import type { ToolServer } from '../../../packages/service/src/resources/mcp-servers/index.js'
import type {
  UpstreamSession,
  UpstreamSessions,
} from '../../../packages/service/src/resources/mcp-sessions/index.js'
import { createSliceQueue } from '../../../packages/service/src/shared/slice-queue.js'

/** What a test opened, to be closed after it. */
export function closing() {
  const opened: { close(): unknown }[] = []
  return {
    opened,
    closeAll: async () => {
      for (const each of opened.splice(0).reverse()) await each.close()
    },
  }
}

export function mcpServer(url: string, changes: Partial<ToolServer> = {}): ToolServer {
  return {
    id: 'mcp_1',
    tenantId: 'ten_1',
    name: 'official',
    transport: { type: 'http', url },
    auth: { type: 'none' },
    enabled: true,
    open: true,
    priceNanos: 0,
    rpmLimit: null,
    limitsSince: 0,
    timeoutMs: 60_000,
    maxResultBytes: 4_194_304,
    resources: [],
    prompts: [],
    tools: [],
    ...changes,
  }
}

export function requestTo(
  server: ToolServer,
  request: Partial<UpstreamRequest> = {},
  line: Partial<UpstreamChannel> = {},
): UpstreamRequest {
  return {
    server,
    owner: { tenantId: server.tenantId, keyId: 'key_1', userId: null, session: null, authorization: null },
    method: 'tools/call',
    name: '',
    paramsJson: '{}',
    timeoutMs: 60_000,
    maxBytes: 4_194_304,
    signal: new AbortController().signal,
    ...request,
    channel: {
      capabilities: {},
      canAsk: true,
      onSent: () => undefined,
      onNotification: () => undefined,
      ask: async () => '{"error":{"code":-32603,"message":"nobody"}}',
      ...line,
    },
  }
}

/** Sessions of one process. */
export function sessionsInMemory(): UpstreamSessions {
  const kept = new Map<string, UpstreamSession>()
  const keyOf = ({ tenantId, id }: { tenantId: string; id: string }, owner: string) =>
    `${tenantId} ${id} ${owner}`
  return {
    find: async (server, owner) => kept.get(keyOf(server, owner)) ?? null,
    async keep(server, owner, session) {
      kept.set(keyOf(server, owner), session)
    },
    async forget(server, owner, sessionId) {
      if (kept.get(keyOf(server, owner))?.sessionId === sessionId) kept.delete(keyOf(server, owner))
    },
    async take(tenantId, ownerPrefix) {
      return [...kept].flatMap(([key, session]) => {
        const [tenant, serverId = '', owner = ''] = key.split(' ')
        if (tenant !== tenantId || !owner.startsWith(ownerPrefix)) return []
        kept.delete(key)
        return [{ serverId, session }]
      })
    },
  }
}

export function startUpstreams(options: Partial<UpstreamsOptions> = {}): Upstreams {
  const outbound = createOutbound({ strict: false })
  const upstreams = createUpstreams({
    outbound,
    version: '0.0.0',
    yieldToEventLoop: createSliceQueue(),
    sessions: sessionsInMemory(),
    servers: { list: async () => [], headersOf: async () => ({}) },
    readCredentialHeaders: async () => ({ headers: {} }),
    onListChanged: () => undefined,
    onAnswer: () => undefined,
    onOutput: () => undefined,
    onError(error) {
      throw error
    },
    ...options,
  })
  return {
    ...upstreams,
    async close() {
      await upstreams.close()
      await outbound.close()
    },
  }
}
