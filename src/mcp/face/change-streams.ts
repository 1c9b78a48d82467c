import { createHash } from 'node:crypto'
import type { Changes } from '../../db/index.js'
import type { McpOptions } from './contract.js'
import type { EventWriter } from './event-writer.js'
import type { FaceCaller } from './face-caller.js'
import type { FaceLimits } from './limits.js'
import { listTools } from './list-tools.js'
import { findUsable, lookAround } from './methods.js'

/** Where a caller is told when what it may call changes. */
export interface ChangeStream {
  events: EventWriter
  /** What it is told. */
  changed: string
  /** The last word; null for none. */
  farewell: string | null
}

/** What the tools that a caller sees depend on. */
const tables = new Set(['mcp_servers', 'mcp_tools', 'policies', 'keys', 'members', 'teams'])

interface Listener {
  caller: FaceCaller
  /** Null until it is open. */
  stream: ChangeStream | null
  /** Of what it saw last; null until that is known. */
  fingerprint: string | null
  /** Nothing more is told. */
  isOver: boolean
}

/** Streams of callers that wait for changes. */
export class ChangeStreams {
  readonly #options: Pick<McpOptions, 'rules' | 'servers' | 'onError'>
  readonly #limits: Pick<FaceLimits, 'changeDelayMs' | 'keepAliveMs' | 'unreadBytes'>
  readonly #open = new Set<Listener>()
  /** Tenants with changes that callers have not been told of. */
  readonly #waiting = new Set<string>()
  readonly #watch: NodeJS.Timeout
  #timer: NodeJS.Timeout | null = null
  #checking: Promise<void> | null = null

  constructor(
    options: Pick<McpOptions, 'rules' | 'servers' | 'onError'> & { changes: Changes },
    limits: Pick<FaceLimits, 'changeDelayMs' | 'keepAliveMs' | 'unreadBytes'>,
  ) {
    this.#options = options
    this.#limits = limits
    options.changes.subscribe({
      onChange: ({ table, tenantId }) => {
        if (tables.has(table)) this.#schedule(tenantId)
      },
      onGap: () => this.#scheduleAll(),
    })
    // A key that expires is no change.
    this.#watch = setInterval(() => this.#scheduleAll(), limits.keepAliveMs)
    this.#watch.unref()
  }

  get size(): number {
    return this.#open.size
  }

  /** Opens the stream once it is known what the caller sees: whatever changes from then on, it is told, and nothing else. */
  async add(caller: FaceCaller, open: () => ChangeStream): Promise<void> {
    const listener: Listener = { caller, stream: null, fingerprint: null, isOver: false }
    this.#open.add(listener)
    try {
      const seen = await this.#fingerprintOf(caller)
      // What was found for a change meanwhile is newer.
      listener.fingerprint ??= seen
    } catch (error) {
      this.#open.delete(listener)
      throw error
    }
    listener.stream = open()
    listener.stream.events.onClose(() => this.#open.delete(listener))
    if (listener.isOver) end(listener)
  }

  /** With a last word. */
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
        if (tenants.has(listener.caller.principal.tenantId)) await this.#tell(listener)
    }
  }

  async #tell(listener: Listener): Promise<void> {
    const fingerprint = await this.#fingerprintOf(listener.caller).catch((error: unknown) => {
      // Whoever may no longer call is told nothing more; while the database is away, nobody is told anything.
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

  async #fingerprintOf(caller: FaceCaller): Promise<string> {
    const { server } = caller
    // What a path names may be another thing by now, or nothing.
    const current = server && (await findUsable(server.name, caller, this.#options))
    if (server !== null && current === null) return 'gone'
    const { access, servers } = await lookAround({ ...caller, server: current }, this.#options)
    const form = { isComposed: server === null, isModern: caller.isModern }
    const hash = createHash('sha256')
    for (const { json } of await listTools(servers, access, form)) hash.update(json).update('\n')
    return hash.digest('base64')
  }
}

function end(listener: Listener): void {
  listener.isOver = true
  if (listener.stream === null) return
  const { events, farewell } = listener.stream
  if (farewell !== null) events.write(farewell)
  events.end()
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  'type' in error &&
  (error.type === 'unauthorized' || error.type === 'user_suspended')
