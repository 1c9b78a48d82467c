import { createHash } from 'node:crypto'
import type { Changes } from '../../../db/index.js'
import type { McpCaller } from '../caller.js'
import type { McpOptions } from '../contract.js'
import type { McpServerLimits } from '../limits.js'
import { listTools } from '../listings/list-tools.js'
import { findUsableServer, loadVisibleServers } from '../methods.js'
import type { EventWriter } from './event-writer.js'

/** A stream that notifies a caller when its list of tools changes. */
export interface ChangeStream {
  events: EventWriter
  /** The notification that is sent. */
  changed: string
  /** The last message of the stream. Null for none. */
  closing: string | null
}

/** The tables that determine which tools a caller sees. */
const tables = new Set(['mcp_servers', 'mcp_tools', 'policies', 'keys', 'members', 'teams'])

interface Listener {
  caller: McpCaller
  /** Null until the stream is open. */
  stream: ChangeStream | null
  /** Fingerprint of the tools that the caller saw last. Null until it is known. */
  fingerprint: string | null
  /** Whether the stream has ended. */
  isOver: boolean
}

/** The open streams of callers that wait for changes. */
export class ChangeStreams {
  readonly #options: Pick<McpOptions, 'gateway' | 'servers' | 'onError'>
  readonly #limits: Pick<McpServerLimits, 'changeDelayMs' | 'keepAliveMs' | 'unreadBytes'>
  // Bounded: open streams, which are bounded for each key and in all.
  readonly #open = new Set<Listener>()
  /** The tenants with changes that callers were not notified of yet. */
  // Bounded: tenants with open streams and a pending notification.
  readonly #waiting = new Set<string>()
  readonly #watch: NodeJS.Timeout
  #timer: NodeJS.Timeout | null = null
  #checking: Promise<void> | null = null

  constructor(
    options: Pick<McpOptions, 'gateway' | 'servers' | 'onError'> & { changes: Changes },
    limits: Pick<McpServerLimits, 'changeDelayMs' | 'keepAliveMs' | 'unreadBytes'>,
  ) {
    this.#options = options
    this.#limits = limits
    options.changes.subscribe({
      onChange: ({ table, tenantId }) => {
        if (tables.has(table)) this.#schedule(tenantId)
      },
      onGap: () => this.#scheduleAll(),
    })
    // Expiry of a key sends no change notice, so streams are checked periodically too.
    this.#watch = setInterval(() => this.#scheduleAll(), limits.keepAliveMs)
    this.#watch.unref()
  }

  get size(): number {
    return this.#open.size
  }

  /** Opens the stream after reading what the caller sees, so that the caller is notified of exactly the changes after that. */
  async add(caller: McpCaller, open: () => ChangeStream): Promise<void> {
    const listener: Listener = { caller, stream: null, fingerprint: null, isOver: false }
    this.#open.add(listener)
    try {
      const seen = await this.#fingerprintOf(caller)
      // A fingerprint that a change has set in the meantime is newer.
      listener.fingerprint ??= seen
    } catch (error) {
      this.#open.delete(listener)
      throw error
    }
    listener.stream = open()
    listener.stream.events.onClose(() => this.#open.delete(listener))
    if (listener.isOver) end(listener)
  }

  /** Ends all streams with their last message. */
  endAll(): void {
    clearInterval(this.#watch)
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const listener of this.#open) end(listener)
  }

  #scheduleAll(): void {
    for (const { caller } of this.#open) this.#schedule(caller.principal.tenantId)
  }

  #schedule(tenantId: string): void {
    if (this.#open.size === 0) return
    this.#waiting.add(tenantId)
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#checking ??= this.#check()
        .catch((error: unknown) => this.#options.onError(error))
        .finally(() => {
          this.#checking = null
        })
    }, this.#limits.changeDelayMs)
  }

  async #check(): Promise<void> {
    while (this.#waiting.size > 0) {
      const tenants = new Set(this.#waiting)
      this.#waiting.clear()
      for (const listener of [...this.#open])
        if (tenants.has(listener.caller.principal.tenantId)) await this.#notify(listener)
    }
  }

  async #notify(listener: Listener): Promise<void> {
    const fingerprint = await this.#fingerprintOf(listener.caller).catch((error: unknown) => {
      // The stream ends when the caller loses its access. While the database is unavailable, no notifications are sent.
      if (isRefusal(error)) end(listener)
      return null
    })
    if (fingerprint === null || fingerprint === listener.fingerprint) return
    listener.fingerprint = fingerprint
    if (listener.stream === null) return
    const { events, changed } = listener.stream
    if (events.unreadBytes > this.#limits.unreadBytes) events.destroy()
    else events.write(changed)
  }

  async #fingerprintOf(caller: McpCaller): Promise<string> {
    const { server } = caller
    // The server of the path may have been changed or deleted.
    const current = server && (await findUsableServer(server.name, caller, this.#options))
    if (server !== null && current === null) return 'gone'
    const { access, servers } = await loadVisibleServers({ ...caller, server: current }, this.#options)
    const form = { isComposed: server === null, isModern: caller.isModern }
    const hash = createHash('sha256')
    for (const { json } of await listTools(servers, access, form)) hash.update(json).update('\n')
    return hash.digest('base64')
  }
}

function end(listener: Listener): void {
  listener.isOver = true
  if (listener.stream === null) return
  const { events, closing } = listener.stream
  if (closing !== null) events.write(closing)
  events.end()
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  'type' in error &&
  (error.type === 'unauthorized' || error.type === 'user_suspended')
