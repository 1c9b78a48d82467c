import { createHash } from 'node:crypto'
import type { Changes } from '../../db/index.js'
import type { McpOptions } from './contract.js'
import type { EventWriter } from './event-writer.js'
import type { FaceCaller } from './face-caller.js'
import type { FaceLimits } from './limits.js'
import { listTools } from './list-tools.js'
import { findUsable, lookAround } from './methods.js'

/** A caller that wants to be told when what it may call changes. */
export interface ChangeStream {
  caller: FaceCaller
  events: EventWriter
  /** What it is told. */
  changed: string
  /** The last word; null for none. */
  farewell: string | null
}

/** What the tools that a caller sees depend on. */
const tables = new Set(['mcp_servers', 'mcp_tools', 'policies', 'keys', 'members', 'teams'])

interface OpenStream extends ChangeStream {
  /** Of what it saw last. */
  fingerprint: string
}

/** Streams of callers that wait for changes. */
export class ChangeStreams {
  readonly #options: Pick<McpOptions, 'rules' | 'servers' | 'onError'>
  readonly #limits: Pick<FaceLimits, 'changeDelayMs' | 'keepAliveMs' | 'unreadBytes'>
  readonly #open = new Set<OpenStream>()
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

  /** Returns when it is open. */
  async add(stream: ChangeStream): Promise<void> {
    const opened = { ...stream, fingerprint: '' }
    this.#open.add(opened)
    stream.events.onClose(() => this.#open.delete(opened))
    opened.fingerprint = await this.#fingerprintOf(stream.caller)
  }

  /** With a last word. */
  endAll(): void {
    clearInterval(this.#watch)
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const stream of this.#open) end(stream)
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
      for (const stream of [...this.#open])
        if (tenants.has(stream.caller.principal.tenantId)) await this.#tell(stream)
    }
  }

  async #tell(stream: OpenStream): Promise<void> {
    const fingerprint = await this.#fingerprintOf(stream.caller).catch((error: unknown) => {
      // Whoever may no longer call is told nothing more; while the database is away, nobody is told anything.
      if (isRefusal(error)) end(stream)
      return null
    })
    if (fingerprint === null || fingerprint === stream.fingerprint) return
    stream.fingerprint = fingerprint
    if (stream.events.unreadBytes > this.#limits.unreadBytes) stream.events.destroy()
    else stream.events.write(stream.changed)
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

function end({ events, farewell }: OpenStream): void {
  if (farewell !== null) events.write(farewell)
  events.end()
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  'type' in error &&
  (error.type === 'unauthorized' || error.type === 'user_suspended')
