import { type Changes, type Periodic, startPeriodic } from '../../db/index.js'
import type { McpListing, ToolServer } from '../../resources/mcp-servers/index.js'
import { ApiError } from '../../shared/errors.js'
import { createSemaphore } from '../../shared/semaphore.js'
import type { UpstreamOwner, Upstreams } from './contract.js'
import { serviceOwnerOf } from './owner.js'

interface DueServer {
  tenantId: string
  id: string
}
type Listings = Map<string, Promise<McpListing>>

/** The stored listings of servers, and the claims by which replicas share the work of refreshing them. */
export interface ListingStore {
  list(tenantId: string): Promise<readonly ToolServer[]>
  claimDue(maxAgeMs: number, max: number): Promise<DueServer[]>
  claim(server: ToolServer, maxAgeMs: number): Promise<boolean>
  keepListing(server: ToolServer, listing: McpListing, options?: { isOfOneUser?: boolean }): Promise<void>
  noteFailure(server: ToolServer, message: string): Promise<void>
}

export interface RefreshingOptions {
  servers: ListingStore
  upstreams: Pick<Upstreams, 'list'>
  changes: Pick<Changes, 'subscribe'>
  /** True for a demo tenant, whose servers do not exist. */
  isDemo(tenantId: string): Promise<boolean>
  onError(error: unknown): void
  maxAgeMs?: number
  pollMs?: number
}

export interface Refreshing extends Periodic {
  /** Called when a server notifies that its tools have changed. `owner` is the owner of the call during which it did. */
  onToolsChanged(server: ToolServer, owner: UpstreamOwner): void
  /** Called when a server answered a call. A server that requires a user's credential is refreshed with that of `owner`. */
  onAnswer(server: ToolServer, owner: UpstreamOwner): void
}

const defaultMaxAgeMs = 300_000
const defaultPollMs = 10_000
const maxClaims = 50
const maxConcurrent = 8
// A server that notifies of changes more often is still refreshed at this interval.
const minChangeMs = 10_000
const changeDelayMs = 500
const maxTracked = 10_000

/** Refreshes the listings of servers every few minutes, soon after a server was configured, and when a server notifies of a change. */
export function startRefreshing(options: RefreshingOptions): Refreshing {
  const { servers, upstreams, changes, onError } = options
  const { maxAgeMs = defaultMaxAgeMs, pollMs = defaultPollMs } = options
  const limitConcurrency = createSemaphore(maxConcurrent)
  /** The servers that notified of a change and will be refreshed shortly. */
  // Bounded: 10,000; further servers wait for the next regular refresh.
  const waiting = new Map<string, NodeJS.Timeout>()
  // Bounded: servers that notified of a change or answered a call, at most once per interval each.
  const running = new Set<Promise<void>>()
  /** When a server was last refreshed because of a call. */
  // Bounded: 10,000; then it is cleared.
  const refreshedAtMs = new Map<string, number>()

  async function refresh(
    server: ToolServer,
    owner: UpstreamOwner,
    list = () => upstreams.list(server, owner),
  ): Promise<void> {
    const isOfOneUser = server.auth.type !== 'none'
    try {
      const listing = await list()
      await servers.keepListing(server, listing, { isOfOneUser })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A failure with one user's credential does not mean that the server fails for others.
      if (!isOfOneUser) await servers.noteFailure(server, error.message)
    }
  }

  async function refreshDue({ tenantId, id }: DueServer, listings: Listings): Promise<void> {
    const server = (await servers.list(tenantId)).find((each) => each.id === id)
    if (server?.enabled !== true) return
    const owner = serviceOwnerOf(tenantId)
    if (id.startsWith('file:')) await refresh(server, owner, () => listOnce(server, owner, listings))
    else if (!(await options.isDemo(tenantId))) await refresh(server, owner)
  }

  /** Asks a server of the operator's file once for all tenants, because it offers the same tools to each. */
  function listOnce(server: ToolServer, owner: UpstreamOwner, listings: Listings): Promise<McpListing> {
    const listing = listings.get(server.id) ?? upstreams.list(server, owner)
    listings.set(server.id, listing)
    return listing
  }

  async function run(): Promise<void> {
    const listings: Listings = new Map()
    for (let hasMore = true; hasMore; ) {
      const due = await servers.claimDue(maxAgeMs, maxClaims)
      hasMore = due.length >= maxClaims
      await Promise.all(due.map((each) => limitConcurrency(() => refreshDue(each, listings)).catch(onError)))
    }
  }

  function inBackground(work: () => Promise<void>): void {
    const started = work()
      .catch(onError)
      .finally(() => running.delete(started))
    running.add(started)
  }

  const periodic = startPeriodic({ run, everyMs: pollMs, startsAtOnce: true, onError })
  changes.subscribe({
    onChange({ table }) {
      if (table === 'mcp_servers') periodic.wake()
    },
    onGap: () => periodic.wake(),
  })
  let isClosed = false

  return {
    wake: periodic.wake,
    onToolsChanged(server, owner) {
      const key = keyOf(server)
      if (isClosed || waiting.has(key) || waiting.size >= maxTracked) return
      const sinceMs = Date.now() - (refreshedAtMs.get(key) ?? 0)
      const timer = setTimeout(
        () => {
          waiting.delete(key)
          inBackground(async () => {
            setRefreshed(key)
            if (await servers.claim(server, changeDelayMs))
              await limitConcurrency(() => refresh(server, owner))
          })
        },
        Math.max(changeDelayMs, minChangeMs - sinceMs),
      )
      timer.unref()
      waiting.set(key, timer)
    },
    onAnswer(server, owner) {
      const key = keyOf(server)
      if (isClosed || server.auth.type === 'none' || Date.now() - (refreshedAtMs.get(key) ?? 0) < maxAgeMs)
        return
      setRefreshed(key)
      inBackground(async () => {
        if (await servers.claim(server, maxAgeMs)) await limitConcurrency(() => refresh(server, owner))
      })
    },
    async close() {
      isClosed = true
      for (const timer of waiting.values()) clearTimeout(timer)
      await Promise.all([periodic.close(), ...running])
    },
  }

  function setRefreshed(key: string): void {
    if (refreshedAtMs.size >= maxTracked) refreshedAtMs.clear()
    refreshedAtMs.set(key, Date.now())
  }
}

const keyOf = ({ tenantId, id }: ToolServer): string => `${tenantId} ${id}`
