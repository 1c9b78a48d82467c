import type { IncomingHttpHeaders } from 'node:http'
import type { CallTrace } from '../../calls/core/index.js'
import type { ToolCallParts } from '../../calls/tool/index.js'
import { createListingJudge } from '../../calls/tool/index.js'
import type { Changes, Db } from '../../db/index.js'
import type { App, AuthMethod, Principal, PublicAddress } from '../../http/index.js'
import {
  createUpstreams,
  type Refreshing,
  startRefreshing,
  type UpstreamOwner,
} from '../../mcp/client/index.js'
import { createUserCredentials, registerConsentPages } from '../../mcp/oauth/index.js'
import { createToolGateway, type Mcp, registerMcp } from '../../mcp/server/index.js'
import type { Outbound, UrlRules } from '../../outbound/index.js'
import { createCredentialStores } from '../../resources/mcp-credentials/index.js'
import { configuredId, createMcpServers, type ToolServer } from '../../resources/mcp-servers/index.js'
import {
  createCallerMessages,
  createCallerSessions,
  createSessionTokens,
  createUpstreamSessions,
} from '../../resources/mcp-sessions/index.js'
import type { Secrets } from '../../secrets/index.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'
import type { LiveConfig } from '../reload/live-config.js'

export interface ToolServersOptions {
  live: LiveConfig
  db: Db
  changes: Changes
  secrets: Secrets
  outbound: Outbound
  urlRules: UrlRules
  yieldToEventLoop: YieldToEventLoop
  version: string
  /** True for a demo tenant, whose servers do not exist. */
  isDemo(tenantId: string): Promise<boolean>
  /** Called with what a server's process writes to standard error. */
  onOutput(text: string): void
  failed(what: string): (error: unknown) => void
}

/** Opens the MCP servers of tenants, their credentials and the connections to them. */
export function createToolServers(options: ToolServersOptions) {
  const { live, db, changes, secrets, outbound, urlRules, yieldToEventLoop, version, failed } = options
  const { publicUrl: publicAddress } = live.current()
  const configured = () => live.current().mcpServers
  const servers = createMcpServers({ db, changes, secrets, configured })
  const findServer = async (tenantId: string, id: string): Promise<ToolServer | null> =>
    (await servers.list(tenantId)).find((server) => server.id === id) ?? null
  const stores = createCredentialStores({ db, secrets })
  const users = createUserCredentials({
    ...{ db, outbound, urlRules, stores, publicAddress, findServer },
    clientSecretOf: servers.clientSecretOf,
    userAgent: `tallystick/${version}`,
  })
  let refreshing: Refreshing | null = null
  const upstreams = createUpstreams({
    ...{ outbound, version, yieldToEventLoop },
    sessions: createUpstreamSessions({ db, secrets }),
    servers,
    readCredentialHeaders: users.readCredentialHeaders,
    onError: failed('calling MCP servers'),
    onListChanged: (server, owner) => refreshing?.onToolsChanged(server, owner),
    onAnswer: (server, owner) => refreshing?.onAnswer(server, owner),
    onOutput: (server, text) => options.onOutput(`MCP server ${server}: ${text}`),
  })

  live.add({
    prepare: (next, current) =>
      JSON.stringify(next.mcpServers) === JSON.stringify(current.mcpServers)
        ? null
        : () => {
            servers.forgetAll()
            upstreams.keepProcesses(new Set(next.mcpServers.map(configuredId)))
            refreshing?.wake()
          },
  })

  return {
    servers,
    configured,
    upstreams,
    credentials: {
      credentials: stores.credentials,
      findServer,
      connectPath: users.connectPath,
      publicAddress,
    },
    registerConsentPages: (app: App) => registerConsentPages(app, { flow: users.flow, publicAddress }),
    /** Requests the tools of a server, as this principal. */
    ask: (server: ToolServer, principal: Principal) => upstreams.list(server, ownerOf(principal)),
    /** Starts to list the tools of servers periodically. */
    startRefreshing() {
      refreshing = startRefreshing({
        ...{ servers, upstreams, changes },
        isDemo: options.isDemo,
        onError: failed('listing the tools of MCP servers'),
      })
      return refreshing
    },
    async close() {
      await upstreams.close()
      await users.close()
    },
  }
}

export type ToolServers = ReturnType<typeof createToolServers>

const ownerOf = ({ tenantId, keyId, userId }: Principal): UpstreamOwner => ({
  tenantId,
  keyId: keyId ?? '',
  userId,
  session: null,
  authorization: null,
})

export interface ToolGatewayOptions
  extends Pick<ToolServersOptions, 'db' | 'changes' | 'secrets' | 'yieldToEventLoop' | 'version' | 'failed'> {
  tools: ToolServers
  authMethods: readonly AuthMethod[]
  publicAddress: PublicAddress | null
  /** The key with which the tokens of callers' sessions are sealed. */
  sessionKey: Buffer
  stopping: AbortSignal
  call: Omit<ToolCallParts, 'upstreams' | 'findServer' | 'onError'>
  beginTrace: ((headers: IncomingHttpHeaders) => CallTrace) | null
}

/** Mounts the gateway for MCP tools. */
export async function registerToolGateway(app: App, options: ToolGatewayOptions): Promise<Mcp> {
  const { tools, db, changes, secrets, yieldToEventLoop, failed } = options
  const { authMethods, publicAddress, version, stopping, beginTrace } = options
  const { servers, upstreams } = tools
  const onError = failed('calling tools')
  const call: ToolCallParts = { ...options.call, upstreams, findServer: servers.find, onError }
  const tokens = createSessionTokens(options.sessionKey)
  return await registerMcp(app, {
    ...{
      authMethods,
      servers,
      upstreams,
      tokens,
      changes,
      yieldToEventLoop,
      publicAddress,
      version,
      stopping,
      onError,
    },
    sessions: createCallerSessions({ db, changes, tokens }),
    messages: createCallerMessages({ db, changes, secrets, onError }),
    gateway: createToolGateway({ call, judgeListing: createListingJudge(call), beginTrace }),
  })
}
