import { type Changes, type Periodic, startPeriodic } from '../../db/index.js'
import type { McpListing, McpServerTerms } from '../../resources/mcp-servers/index.js'
import { ApiError } from '../../shared/errors.js'
import { createTurnstile } from '../../shared/turns.js'
import type { UpstreamOwner, Upstreams } from './contract.js'
import { nobodyOf } from './owner.js'

interface ListingPlace {
  tenantId: string
  id: string
}
type Listings = Map<string, Promise<McpListing>>

/** What is kept of servers, and who is to ask them. */
export interface ListingStore {
  list(tenantId: string): Promise<readonly McpServerTerms[]>
  claimDue(maxAgeMs: number, max: number): Promise<ListingPlace[]>
  claim(server: McpServerTerms, maxAgeMs: number): Promise<boolean>
  keepListing(server: McpServerTerms, listing: McpListing, options?: { isOfOneUser?: boolean }): Promise<void>
  noteFailure(server: McpServerTerms, message: string): Promise<void>
}

export interface RefreshingOptions {
  servers: ListingStore
  upstreams: Pick<Upstreams, 'list'>
  changes: Pick<Changes, 'subscribe'>
  /** A tenant in which everything is made up: so are its servers. */
  isDemo(tenantId: string): Promise<boolean>
  onError(error: unknown): void
  maxAgeMs?: number
  lookEveryMs?: number
}

export interface Refreshing extends Periodic {
  /** The server says that its tools changed. `owner`: in whose call it said so. */
  noteChange(server: McpServerTerms, owner: UpstreamOwner): void
  /** The server answered somebody: where only users can ask it, it is asked in that user's name. */
  noteAnswer(server: McpServerTerms, owner: UpstreamOwner): void
}

const defaultMaxAgeMs = 300_000
const defaultLookEveryMs = 10_000
const maxClaims = 50
const atOnce = 8
// However often a server says that its tools changed.
const minChangeMs = 10_000
const changeDelayMs = 500
const maxRemembered = 10_000

/** Asks servers what they offer, every few minutes, each by one replica; soon after they are set up, and when they say that it changed. */
export function startRefreshing(options: RefreshingOptions): Refreshing {
  const { servers, upstreams, changes, onError } = options
  const { maxAgeMs = defaultMaxAgeMs, lookEveryMs = defaultLookEveryMs } = options
  const inTurn = createTurnstile(atOnce)
  // Bounded: 10,000; more are not noted.
  const waiting = new Map<string, NodeJS.Timeout>()
  // Bounded: listings under way; as many at once as a turnstile lets in.
  const underWay = new Set<Promise<void>>()
  /** When a user's call was last a reason to look. */
  // Bounded: 10,000; then it begins again.
  const looked = new Map<string, number>()

  async function refresh(
    server: McpServerTerms,
    owner: UpstreamOwner,
    ask = () => upstreams.list(server, owner),
  ): Promise<void> {
    const isOfOneUser = server.auth.type !== 'none'
    try {
      const listing = await ask()
      await servers.keepListing(server, listing, { isOfOneUser })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // What one user may not ask says nothing of the server.
      if (!isOfOneUser) await servers.noteFailure(server, error.message)
    }
  }

  async function refreshPlace({ tenantId, id }: ListingPlace, listings: Listings): Promise<void> {
    const server = (await servers.list(tenantId)).find((each) => each.id === id)
    if (server?.enabled !== true) return
    const owner = nobodyOf(tenantId)
    if (id.startsWith('file:')) await refresh(server, owner, () => listOnce(server, owner, listings))
    else if (!(await options.isDemo(tenantId))) await refresh(server, owner)
  }

  /** A server of the operator's file offers all tenants the same: it is asked once. */
  function listOnce(server: McpServerTerms, owner: UpstreamOwner, listings: Listings): Promise<McpListing> {
    const asked = listings.get(server.id) ?? upstreams.list(server, owner)
    listings.set(server.id, asked)
    return asked
  }

  async function run(): Promise<void> {
    const listings: Listings = new Map()
    for (let isMore = true; isMore; ) {
      const due = await servers.claimDue(maxAgeMs, maxClaims)
      isMore = due.length >= maxClaims
      await Promise.all(due.map((place) => inTurn(() => refreshPlace(place, listings)).catch(onError)))
    }
  }

  function inBackground(work: () => Promise<void>): void {
    const running = work()
      .catch(onError)
      .finally(() => underWay.delete(running))
    underWay.add(running)
  }

  const periodic = startPeriodic({ run, everyMs: lookEveryMs, startsAtOnce: true, onError })
  changes.subscribe({
    onChange({ table }) {
      if (table === 'mcp_servers') periodic.wake()
    },
    onGap: () => periodic.wake(),
  })
  let isClosed = false

  return {
    wake: periodic.wake,
    noteChange(server, owner) {
      const key = keyOf(server)
      if (isClosed || waiting.has(key) || waiting.size >= maxRemembered) return
      const sinceMs = Date.now() - (looked.get(key) ?? 0)
      const timer = setTimeout(
        () => {
          waiting.delete(key)
          inBackground(async () => {
            remember(looked, key)
            if (await servers.claim(server, changeDelayMs)) await inTurn(() => refresh(server, owner))
          })
        },
        Math.max(changeDelayMs, minChangeMs - sinceMs),
      )
      timer.unref()
      waiting.set(key, timer)
    },
    noteAnswer(server, owner) {
      const key = keyOf(server)
      if (isClosed || server.auth.type === 'none' || Date.now() - (looked.get(key) ?? 0) < maxAgeMs) return
      remember(looked, key)
      inBackground(async () => {
        if (await servers.claim(server, maxAgeMs)) await inTurn(() => refresh(server, owner))
      })
    },
    async close() {
      isClosed = true
      for (const timer of waiting.values()) clearTimeout(timer)
      await Promise.all([periodic.close(), ...underWay])
    },
  }
}

const keyOf = ({ tenantId, id }: McpServerTerms): string => `${tenantId} ${id}`

function remember(looked: Map<string, number>, key: string): void {
  if (looked.size >= maxRemembered) looked.clear()
  looked.set(key, Date.now())
}
