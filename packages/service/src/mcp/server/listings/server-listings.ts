import { createHash } from 'node:crypto'
import { asText, type JsonBounds, readItemsInSlices, readMembersInSlices } from '@tallystick/record/json'
import type { Changes } from '../../../db/index.js'
import { callerAuthorizationOf } from '../../../http/index.js'
import type { ToolServer } from '../../../resources/mcp-servers/index.js'
import { withDeadline } from '../../../shared/deadline.js'
import { ApiError } from '../../../shared/errors.js'
import { readJson } from '../../../shared/read-json.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import type { UpstreamRequest, Upstreams } from '../../client/contract.js'
import type { McpCaller } from '../caller.js'
import type { McpServerLimits } from '../limits.js'
import { textOf } from '../protocol/message.js'

/** The methods that list what a server has, with the member of the items and of their names. */
export const listingMethods = {
  'resources/list': { items: 'resources', name: 'uri' },
  'resources/templates/list': { items: 'resourceTemplates', name: 'uriTemplate' },
  'prompts/list': { items: 'prompts', name: 'name' },
} as const
export type ListingMethod = keyof typeof listingMethods

/** An item as the server wrote it, and its name or URI. */
export interface ServerItem {
  name: string
  json: string
}

export interface ServerListings {
  /** Returns a listing. Throws an `ApiError` when the server does not answer. */
  of(server: ToolServer, method: ListingMethod, caller: McpCaller): Promise<readonly ServerItem[]>
}

interface CachedListing {
  tenantId: string
  untilMs: number
  items: Promise<readonly ServerItem[]>
}

const bounds: JsonBounds = {
  depth: 64,
  containers: 50_000,
  objectMembers: 1_000,
  members: 100_000,
  values: 200_000,
}
const maxPages = 20

/** Creates a short-lived cache of server listings, so that repeated listings do not reach the servers. */
export function createServerListings(options: {
  upstreams: Pick<Upstreams, 'request'>
  changes: Changes
  limits: McpServerLimits
  yieldToEventLoop: YieldToEventLoop
  stopping: AbortSignal
  now?: () => number
}): ServerListings {
  const { upstreams, changes, limits, yieldToEventLoop, stopping, now = () => performance.now() } = options
  /** The listings by server, method and credential, the oldest first. */
  // Bounded: `limits.listings`; the oldest is dropped.
  const cached = new Map<string, CachedListing>()
  changes.subscribe({
    onChange({ table, tenantId }) {
      if (!/^mcp_(servers|listings|credentials)$/.test(table)) return
      for (const [key, listing] of cached) if (listing.tenantId === tenantId) cached.delete(key)
    },
    onGap: () => cached.clear(),
  })

  async function readListing(
    server: ToolServer,
    method: ListingMethod,
    caller: McpCaller,
  ): Promise<readonly ServerItem[]> {
    const found = new Map<string, ServerItem>()
    const deadline = withDeadline(stopping, limits.listingTimeoutMs)
    let cursor: string | null = null
    let bytes = 0
    for (let page = 0; page < maxPages; page++) {
      const request = requestFor(server, method, caller, cursor, limits, deadline)
      const end = await upstreams.request(request)
      if (end.type === 'fault') throw end.cause
      if (end.type === 'failure')
        throw new ApiError(end.failure === 'timeout' ? 'upstream_timeout' : 'upstream_error', end.message)
      // Servers without resources or prompts answer that the method does not exist.
      if (end.type === 'error') {
        if (end.code === methodNotFound || end.code === invalidParams) return []
        throw new ApiError('upstream_error', `The server refuses ${method}`)
      }
      bytes += end.json.length
      const { items, nextCursor } = await readPage(end.json, method, yieldToEventLoop)
      for (const item of items) if (!found.has(item.name)) found.set(item.name, item)
      const isEnough = bytes >= limits.listingBytes || found.size >= limits.listingItems
      if (nextCursor === null || nextCursor === cursor || isEnough) break
      cursor = nextCursor
    }
    return [...found.values()].slice(0, limits.listingItems)
  }

  return {
    of(server, method, caller) {
      const { tenantId } = caller.principal
      const key = JSON.stringify([tenantId, server.id, method, credentialOf(server, caller)])
      const known = cached.get(key)
      if (known !== undefined && known.untilMs > now()) return known.items
      const items = readListing(server, method, caller)
      // The caller receives a failure. It is cached like a listing.
      items.catch(() => undefined)
      cached.delete(key)
      cached.set(key, { tenantId, untilMs: now() + limits.listingMs, items })
      const [oldest] = cached.keys()
      if (cached.size > limits.listings && oldest !== undefined) cached.delete(oldest)
      return items
    },
  }
}

const methodNotFound = -32_601
const invalidParams = -32_602

/** Returns the part of the cache key for the credential. Empty when all calls use the same headers. */
function credentialOf({ auth }: ToolServer, { principal, keyId, headers }: McpCaller): string {
  if (auth.type === 'none') return ''
  const authorization = auth.type === 'passthrough' ? (callerAuthorizationOf(headers) ?? '') : ''
  const subject = principal.userId === null ? `key:${keyId}` : `user:${principal.userId}`
  return createHash('sha256').update(`${subject}\n${authorization}`).digest('base64')
}

function requestFor(
  server: ToolServer,
  method: ListingMethod,
  caller: McpCaller,
  cursor: string | null,
  limits: McpServerLimits,
  signal: AbortSignal,
): UpstreamRequest {
  const { principal, keyId, session, headers } = caller
  return {
    server,
    owner: {
      tenantId: principal.tenantId,
      keyId,
      userId: principal.userId,
      session: session?.id ?? null,
      authorization: callerAuthorizationOf(headers),
    },
    method,
    name: '',
    paramsJson: cursor === null ? '{}' : JSON.stringify({ cursor }),
    channel: {
      capabilities: {},
      canAsk: false,
      onSent: () => undefined,
      onNotification: () => undefined,
      ask: async () => '{"error":{"code":-32601,"message":"Method not found"}}',
    },
    timeoutMs: Math.min(server.timeoutMs, limits.listingTimeoutMs),
    maxBytes: Math.min(server.maxResultBytes, limits.listingBytes),
    signal,
  }
}

async function readPage(
  json: string,
  method: ListingMethod,
  yieldToEventLoop: YieldToEventLoop,
): Promise<{ items: ServerItem[]; nextCursor: string | null }> {
  const { items: member, name } = listingMethods[method]
  const { value } = await readJson(Buffer.from(json), bounds, yieldToEventLoop).catch(() => {
    throw new ApiError('upstream_error', 'The server answered with something that cannot be read')
  })
  const result = value as Record<string, unknown>
  const listed = Array.isArray(result?.[member]) ? (result[member] as Record<string, unknown>[]) : []
  const members = await readMembersInSlices(json, yieldToEventLoop)
  const text = textOf({ text: json, members }, member) ?? '[]'
  const positions = await readItemsInSlices(text, yieldToEventLoop)
  const items = listed.flatMap((item, i) => {
    const position = positions[i]
    const itemName = asText(item?.[name])
    return position === undefined || itemName === ''
      ? []
      : [{ name: itemName, json: text.slice(position.start, position.end) }]
  })
  const { nextCursor } = result
  return { items, nextCursor: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : null }
}
