import { asObject } from '@tallystick/record/json'
import type { Db } from '../../db/index.js'
import { type Principal, toUsd } from '../../http/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'
import { namesAt, type WantedName } from '../names/index.js'
import { type ConfiguredMcpServer, configuredId } from './configured.js'
import type { McpServer, McpTool } from './schema.js'
import { openClientSecret, openHeaders } from './secrets.js'
import { type ListingRow, type PinRow, pinOf, type ServerRow, type ToolRow } from './store.js'
import type { McpAuth } from './tool-server.js'
import { diffDefinitions } from './tools/diff.js'
import { findFlags, type OtherServers } from './tools/flags.js'
import { stateOf } from './tools/pins.js'

type Settings = Omit<
  McpServer,
  | 'connected'
  | 'status'
  | 'statusMessage'
  | 'protocolVersion'
  | 'serverInfo'
  | 'refreshedAt'
  | 'tools'
  | 'toolCounts'
>

/** Returns the settings of a server, without its current state, which is not part of a change. */
export async function presentSettings(row: ServerRow, secrets: Secrets): Promise<Settings> {
  const headers = await openHeaders(secrets, row)
  const clientSecret = await openClientSecret(secrets, row)
  return {
    id: row.id,
    name: row.name,
    source: 'api',
    transport: 'http',
    url: row.url,
    headers: headers === undecryptable ? [] : Object.keys(headers).sort(),
    auth: presentAuth(row.auth, row.sealed_client_secret !== null),
    enabled: row.enabled,
    open: row.open,
    pinning: row.pinning,
    pricePerCallUsd: toUsd(row.price_nanos),
    rpmLimit: row.rpm_limit,
    timeoutMs: row.timeout_ms,
    maxResultBytes: row.max_result_bytes,
    resources: row.resources,
    prompts: row.prompts,
    secretStatus: [headers, clientSecret].includes(undecryptable) ? undecryptable : 'ok',
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export const presentConfigured = (server: ConfiguredMcpServer): Settings => ({
  id: configuredId(server),
  name: server.name,
  source: 'file',
  transport: server.transport.type,
  url: server.transport.type === 'http' ? server.transport.url : null,
  headers: Object.keys(server.headers).sort(),
  auth: presentAuth(server.auth, server.clientSecret !== null),
  enabled: true,
  open: server.open,
  pinning: server.pinning,
  pricePerCallUsd: toUsd(server.priceNanos),
  rpmLimit: server.rpmLimit,
  timeoutMs: server.timeoutMs,
  maxResultBytes: server.maxResultBytes,
  resources: [...server.resources],
  prompts: [...server.prompts],
  secretStatus: 'ok',
  createdAt: null,
  updatedAt: null,
})

const presentAuth = (auth: McpAuth, hasClientSecret: boolean): McpServer['auth'] => ({
  type: auth.type,
  header: auth.type === 'header' ? auth.header : null,
  clientId: auth.type === 'oauth' ? auth.clientId : null,
  scopes: auth.type === 'oauth' ? [...auth.scopes] : [],
  hasClientSecret,
})

export interface ServerState {
  listing: ListingRow | undefined
  tools: readonly PinRow[]
  /** True when the caller has given the credential that the server requires of each user. */
  isConnected: boolean
}

/** Presents a server's settings and its state. */
export function presentServer(settings: Settings, { listing, tools, isConnected }: ServerState): McpServer {
  const listed = tools.map(pinOf).filter(({ isGone }) => !isGone)
  const presented = listed.map((pin) => ({ name: pin.name, state: stateOf(pin), hash: pin.seenHash }))
  const needsUsers = settings.auth.type === 'header' || settings.auth.type === 'oauth'
  return {
    ...settings,
    connected: needsUsers ? isConnected : null,
    ...presentStatus(settings.enabled, listing),
    tools: presented,
    toolCounts: countStates(presented),
  }
}

function presentStatus(enabled: boolean, listing: ListingRow | undefined) {
  const status = listing?.refreshed_at === null && listing.status === 'ok' ? undefined : listing?.status
  return {
    status: enabled ? (status ?? ('unknown' as const)) : ('disabled' as const),
    statusMessage: listing?.status_message ?? null,
    protocolVersion: listing?.protocol_version ?? null,
    serverInfo: listing?.server_info ? readServerInfo(listing.server_info) : null,
    refreshedAt: listing?.refreshed_at?.toISOString() ?? null,
  }
}

function readServerInfo(text: string): McpServer['serverInfo'] {
  const { name, version } = asObject(JSON.parse(text))
  return {
    name: typeof name === 'string' ? name : null,
    version: typeof version === 'string' ? version : null,
  }
}

function countStates(tools: McpServer['tools']): McpServer['toolCounts'] {
  const counts = { approved: 0, changed: 0, new: 0, blocked: 0 }
  for (const { state } of tools) counts[state]++
  return counts
}

/** Returns what a member sees: what it may call, without the settings that only managers need. */
export function forMember(server: McpServer, mayCall: (toolName: string) => boolean): McpServer {
  const tools = server.tools.filter(({ name }) => mayCall(name))
  return {
    ...server,
    url: null,
    headers: [],
    auth: { ...server.auth, clientId: null, scopes: [], hasClientSecret: false },
    secretStatus: 'ok',
    statusMessage: null,
    tools,
    toolCounts: countStates(tools),
  }
}

export const subjectOf = ({ userId, keyId }: Pick<Principal, 'userId' | 'keyId'>): string =>
  userId === null ? `key:${keyId}` : `user:${userId}`

export async function presentTools(
  db: Db,
  tenantId: string,
  rows: readonly ToolRow[],
  others: OtherServers,
  yieldToEventLoop: YieldToEventLoop,
): Promise<McpTool[]> {
  const approvals = rows.map(readApproval)
  const nameOf = await namesAt(
    db,
    tenantId,
    approvals.flatMap((approval) => approval?.wanted ?? []),
  )
  const presented: McpTool[] = []
  for (const [index, row] of rows.entries()) {
    await yieldToEventLoop()
    const approval = approvals[index] ?? null
    presented.push({
      ...(await presentTool(row, others, yieldToEventLoop)),
      approvedBy: approval && {
        keyId: approval.keyId,
        userId: approval.userId,
        name: approval.wanted.length > 0 ? (approval.wanted.map(nameOf)[0] ?? null) : null,
      },
    })
  }
  return presented
}

async function presentTool(
  row: ToolRow,
  others: OtherServers,
  yieldToEventLoop: YieldToEventLoop,
): Promise<Omit<McpTool, 'approvedBy'>> {
  const pin = pinOf(row)
  const definition = asObject(JSON.parse(row.seen_definition))
  const approved = row.approved_definition === null ? null : asObject(JSON.parse(row.approved_definition))
  return {
    name: row.name,
    state: stateOf(pin),
    hash: row.seen_hash,
    approvedHash: row.approved_hash,
    definition,
    approved,
    diff: approved === null ? [] : diffDefinitions(approved, definition),
    flags: await findFlags(definition, others, yieldToEventLoop),
    fault: row.fault,
    seenAt: row.seen_at.toISOString(),
    approvedAt: row.approved_at?.toISOString() ?? null,
    isGone: pin.isGone,
  }
}

/** Returns the value of `approved_by` for the approving principal. */
export const writeApprover = ({ keyId, userId }: Pick<Principal, 'keyId' | 'userId'>): string =>
  JSON.stringify({ keyId, userId })

function readApproval({ approved_by, approved_at }: ToolRow) {
  if (approved_by === null || approved_at === null) return null
  const { keyId, userId } = asObject(JSON.parse(approved_by))
  const user = typeof userId === 'string' ? userId : null
  const key = typeof keyId === 'string' ? keyId : null
  const wanted: WantedName[] =
    user !== null
      ? [{ type: 'user', id: user, at: approved_at }]
      : key !== null
        ? [{ type: 'key', id: key, at: approved_at }]
        : []
  return { keyId: key, userId: user, wanted }
}
