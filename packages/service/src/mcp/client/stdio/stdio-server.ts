import { randomInt } from 'node:crypto'
import { parseObject } from '@tallystick/record/json'
import type { McpServerTerms } from '../../../resources/mcp-servers/index.js'
import type { WaitForTurn } from '../../../shared/turns.js'
import type { UpstreamEnd, UpstreamRequest } from '../contract.js'
import { type Deadline, untilAborted } from '../deadline.js'
import { badAnswer, UpstreamFault } from '../fault.js'
import type { Introduction } from '../http/handshake.js'
import { Conversation } from '../protocol/conversation.js'
import { type Message, readMessages } from '../protocol/messages.js'
import { prepareParams, writeMessage, writeReply } from '../protocol/params.js'
import { type ClientInfo, envelopeOf } from '../protocol/sdk.js'
import { Child, type StdioReach } from './child.js'
import type { OutputLine } from './line-splitter.js'
import { type StdioHandshake, startHandshake } from './stdio-handshake.js'

export interface StdioServerOptions {
  name: string
  reach: StdioReach
  maxLineBytes: number
  clientInfo: ClientInfo
  waitForTurn: WaitForTurn
  /** For the log. */
  onOutput(text: string): void
  onListChanged(): void
  now?: () => number
}

/** A request that waits for its answer. */
interface Pending {
  conversation: Conversation
  bytesLeft: number
  end(end: UpstreamEnd): void
  fail(fault: UpstreamFault): void
}

interface Running {
  child: Child
  introduction: Introduction
}

const firstBackoffMs = 1_000
const maxBackoffMs = 60_000
// A process that lived this long was no failed start.
const stableMs = 30_000
// Whoever calls waits for a restart that comes this soon.
const shortWaitMs = 2_000
const maxGarbageBytes = 4 * 1024 * 1024

/** A server in a process of its own, started when it is first called and again after it ended, not at once and never in a hurry. */
export class StdioServer {
  readonly #options: StdioServerOptions
  // Bounded: requests under way, each with a timeout.
  readonly #pending = new Map<number, Pending>()
  readonly #now: () => number
  #starting: Promise<Running> | null = null
  #running: Running | null = null
  #child: Child | null = null
  #handshake: StdioHandshake | null = null
  #isLegacy = false
  #backoffMs = 0
  #notBeforeMs = 0
  #garbageBytes = 0
  #isClosed = false

  constructor(options: StdioServerOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /** What the server said of itself. Throws an `UpstreamFault`. */
  async introduction(deadline: Deadline): Promise<Introduction> {
    return (await untilAborted(this.#run(), deadline.signal)).introduction
  }

  async request(asked: UpstreamRequest, deadline: Deadline): Promise<UpstreamEnd> {
    const { clientInfo, waitForTurn } = this.#options
    const { child, introduction } = await untilAborted(this.#run(), deadline.signal)
    const id = randomInt(1, 2 ** 47)
    const envelope = await envelopeOf(introduction.protocolVersion, clientInfo, {})
    const params = await prepareParams(asked.paramsJson, id, envelope, waitForTurn)
    const conversation = new Conversation({
      id,
      tokenJson: params.tokenJson,
      canAsk: false,
      channel: asked.channel,
      deadline,
      waitForTurn,
      send: () => undefined,
      onListChanged: () => undefined,
    })
    try {
      const answer = new Promise<UpstreamEnd>((end, fail) => {
        this.#pending.set(id, { conversation, bytesLeft: asked.maxBytes, end, fail })
      })
      deadline.signal.throwIfAborted()
      asked.channel.onSent()
      if (!child.write(writeMessage(id, asked.method, params.json)))
        throw new UpstreamFault('unreachable', 'The server does not read what it is sent')
      return await untilAborted(answer, deadline.signal)
    } catch (error) {
      const reason = { requestId: id, reason: 'Nobody waits for the answer any more', _meta: envelope }
      child.write(writeMessage(null, 'notifications/cancelled', JSON.stringify(reason)))
      throw error
    } finally {
      this.#pending.delete(id)
      conversation.end()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#child?.stop()
  }

  async #run(): Promise<Running> {
    if (this.#running !== null) return this.#running
    this.#starting ??= this.#startWhenDue().finally(() => {
      this.#starting = null
    })
    return await this.#starting
  }

  async #startWhenDue(): Promise<Running> {
    const waitMs = this.#notBeforeMs - this.#now()
    if (waitMs > shortWaitMs)
      throw new UpstreamFault(
        'unreachable',
        `The process of the server ended; it is started again in ${Math.ceil(waitMs / 1_000)} s`,
      )
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    return await this.#start()
  }

  async #start(): Promise<Running> {
    if (this.#isClosed) throw new UpstreamFault('unreachable', 'The service is stopping')
    const { reach, maxLineBytes, clientInfo } = this.#options
    const startedAtMs = this.#now()
    const ended = new AbortController()
    this.#garbageBytes = 0
    const child: Child = new Child({
      reach,
      maxLineBytes,
      onLine: (line) => this.#take(child, line),
      onStderr: this.#options.onOutput,
      onEnd: (why) => {
        this.#ended(why, startedAtMs)
        ended.abort(new UpstreamFault('unreachable', why))
      },
    })
    this.#child = child
    const handshake = startHandshake(child, clientInfo, this.#isLegacy, ended.signal)
    this.#handshake = handshake
    try {
      const introduction = await handshake.done
      this.#running = { child, introduction }
      return this.#running
    } catch (error) {
      // Some older servers end when they are first asked something else than their handshake.
      const mayBeOlder = ended.signal.aborted && !this.#isLegacy
      await child.stop()
      if (!mayBeOlder) throw error
      this.#isLegacy = true
      return await this.#start()
    } finally {
      if (this.#handshake === handshake) this.#handshake = null
    }
  }

  #ended(why: string, startedAtMs: number): void {
    this.#child = null
    this.#running = null
    const wasStable = this.#now() - startedAtMs >= stableMs
    const next = wasStable ? firstBackoffMs : this.#backoffMs * 2
    this.#backoffMs = Math.min(Math.max(next, firstBackoffMs), maxBackoffMs)
    this.#notBeforeMs = this.#now() + this.#backoffMs
    if (!this.#isClosed) this.#options.onOutput(`${why}. It is started again when it is called.`)
    const fault = new UpstreamFault('unreachable', why)
    for (const { fail } of this.#pending.values()) fail(fault)
  }

  async #take(child: Child, output: OutputLine): Promise<void> {
    if ('tooLong' in output) return this.#takeTooLong(child, output.tooLong)
    const { line } = output
    const messages = await this.#read(line)
    if (messages === null) {
      this.#garbageBytes += line.length + 1
      if (this.#garbageBytes > maxGarbageBytes)
        this.#abandon(child, badAnswer('The server writes something that is no message'))
      return
    }
    this.#garbageBytes = 0
    if (this.#handshake !== null && this.#child === child) this.#handshake.take(line)
    for (const message of messages) await this.#route(child, message, line.length)
  }

  /** Null for what is no message: some servers write their log where only messages belong. */
  async #read(line: Buffer): Promise<Message[] | null> {
    const first = line.toString('latin1', 0, 8).trimStart()[0]
    if (first !== '{' && first !== '[') return null
    try {
      return await readMessages(line, this.#options.waitForTurn)
    } catch (error) {
      if (error instanceof UpstreamFault) return null
      throw error
    }
  }

  async #route(child: Child, message: Message, bytes: number): Promise<void> {
    if (message.type === 'request') {
      // It was told that nobody can be asked anything.
      const reply =
        message.method === 'ping' ? '{"result":{}}' : '{"error":{"code":-32601,"message":"Method not found"}}'
      child.write(writeReply(message.id, reply))
      return
    }
    if (message.type === 'notification') {
      if (message.method === 'notifications/tools/list_changed') this.#options.onListChanged()
      if (message.method !== 'notifications/progress') return
      const token = parseObject(message.paramsJson)?.progressToken
      const pending = typeof token === 'number' ? this.#pending.get(token) : undefined
      if (pending !== undefined) await this.#deliver(pending, message, bytes)
      return
    }
    const pending = typeof message.id === 'number' ? this.#pending.get(message.id) : undefined
    if (pending !== undefined) await this.#deliver(pending, message, bytes)
  }

  async #deliver(pending: Pending, message: Message, bytes: number): Promise<void> {
    pending.bytesLeft -= bytes
    if (pending.bytesLeft < 0) {
      pending.fail(tooLarge())
      return
    }
    try {
      const end = await pending.conversation.take(message)
      if (end !== null) pending.end(end)
    } catch (error) {
      if (!(error instanceof UpstreamFault)) throw error
      pending.fail(error)
    }
  }

  /** Its id stands at the beginning or the end: whose answer it was, is told so. */
  #takeTooLong(child: Child, ends: string): void {
    const ids = [...ends.matchAll(/"id"\s*:\s*(\d{1,16})/g)].map(([, id]) => Number(id))
    const pending = ids.flatMap((id) => this.#pending.get(id) ?? [])
    if (pending.length === 0) this.#abandon(child, badAnswer('The server wrote a line that is too long'))
    for (const { fail } of pending) fail(tooLarge())
  }

  #abandon(child: Child, fault: UpstreamFault): void {
    for (const { fail } of this.#pending.values()) fail(fault)
    child.kill()
  }
}

const tooLarge = (): UpstreamFault =>
  new UpstreamFault('too_large', 'The answer of the server is larger than it may be')

/** Servers of the operator's file are the same for all tenants that have them. */
export function createStdioServers(
  options: Omit<StdioServerOptions, 'name' | 'reach' | 'maxLineBytes' | 'onOutput' | 'onListChanged'> & {
    onOutput(server: string, text: string): void
    onListChanged(server: McpServerTerms): void
  },
) {
  // Bounded: servers of the operator’s file.
  const running = new Map<string, StdioServer>()
  return {
    serverOf(server: McpServerTerms): StdioServer {
      const { id, name, reach, maxResultBytes } = server
      if (reach.type !== 'stdio') throw new Error('not a server by stdio')
      const known = running.get(id)
      if (known !== undefined) return known
      const started = new StdioServer({
        ...options,
        name,
        reach,
        maxLineBytes: maxResultBytes + 65_536,
        onOutput: (text) => options.onOutput(name, text),
        onListChanged: () => options.onListChanged(server),
      })
      running.set(id, started)
      return started
    },
    async close(): Promise<void> {
      await Promise.all([...running.values()].map((each) => each.close()))
    },
  }
}
