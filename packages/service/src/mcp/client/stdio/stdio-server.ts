import { randomInt } from 'node:crypto'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import type { UpstreamEnd, UpstreamRequest } from '../contract.js'
import { type Deadline, untilAborted } from '../deadline.js'
import { badAnswer, UpstreamFault } from '../fault.js'
import type { HandshakeResult } from '../http/handshake.js'
import { type Message, readMessages } from '../protocol/messages.js'
import { cancelReason, prepareParams, writeMessage, writeReply } from '../protocol/params.js'
import { type ClientInfo, envelopeOf } from '../protocol/sdk.js'
import { ServerMessageHandler } from '../protocol/server-message-handler.js'
import type { OutputLine } from './line-splitter.js'
import { PendingRequests } from './pending-requests.js'
import { RestartBackoff } from './restart-backoff.js'
import { ServerProcess, type StdioTransport } from './server-process.js'
import { type StdioHandshake, startHandshake } from './stdio-handshake.js'

export interface StdioServerOptions {
  transport: StdioTransport
  maxLineBytes: number
  clientInfo: ClientInfo
  yieldToEventLoop: YieldToEventLoop
  /** Called with a line for the log. */
  onOutput(text: string): void
  onListChanged(): void
  now?: () => number
}

interface RunningProcess {
  process: ServerProcess
  handshake: HandshakeResult
}

// A request waits for a restart that is due within this time. Otherwise it fails.
const maxStartWaitMs = 2_000
const maxGarbageBytes = 4 * 1024 * 1024

/** A server that runs as a process. It is started with the first request, and again when a request arrives after the process has ended. */
export class StdioServer {
  readonly #options: StdioServerOptions
  readonly #pending = new PendingRequests()
  readonly #backoff: RestartBackoff
  #starting: Promise<RunningProcess> | null = null
  #running: RunningProcess | null = null
  /** The current process. Null when none is running. */
  #process: ServerProcess | null = null
  /** The open handshake. Null when there is none. */
  #handshake: StdioHandshake | null = null
  #isLegacy = false
  /** The bytes that were written since the last valid message. */
  #garbageBytes = 0
  #isClosed = false
  #requests = 0
  /** Called when no request is open, once the server is retired. */
  #onIdle: (() => void) | null = null

  constructor(options: StdioServerOptions) {
    this.#options = options
    this.#backoff = new RestartBackoff(options.now ?? Date.now)
  }

  /** Returns the result of the handshake. Throws an `UpstreamFault`. */
  async handshake(deadline: Deadline): Promise<HandshakeResult> {
    return await this.#count(
      async () => (await untilAborted(this.#ensureRunning(), deadline.signal)).handshake,
    )
  }

  /** Sends a request and returns its answer. Throws an `UpstreamFault`. */
  async send(request: UpstreamRequest, deadline: Deadline): Promise<UpstreamEnd> {
    return await this.#count(() => this.#send(request, deadline))
  }

  /** Ends the process after the open requests, because the settings of the server changed. */
  async retire(): Promise<void> {
    if (this.#requests > 0)
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
    await this.close()
  }

  async #count<Result>(act: () => Promise<Result>): Promise<Result> {
    this.#requests++
    try {
      return await act()
    } finally {
      this.#requests--
      if (this.#requests === 0) this.#onIdle?.()
    }
  }

  async #send(request: UpstreamRequest, deadline: Deadline): Promise<UpstreamEnd> {
    const { clientInfo, yieldToEventLoop } = this.#options
    const { process, handshake } = await untilAborted(this.#ensureRunning(), deadline.signal)
    const id = randomInt(1, 2 ** 47)
    const envelope = await envelopeOf(handshake.protocolVersion, clientInfo, {})
    const params = await prepareParams(request.paramsJson, id, envelope, yieldToEventLoop)
    const handler = new ServerMessageHandler({
      id,
      tokenJson: params.tokenJson,
      canAsk: false,
      channel: request.channel,
      deadline,
      yieldToEventLoop,
      send: () => undefined,
      onListChanged: () => undefined,
    })
    try {
      const answer = this.#pending.waitForAnswer(id, handler, request.maxBytes)
      deadline.signal.throwIfAborted()
      request.channel.onSent()
      if (!process.write(writeMessage(id, request.method, params.json)))
        throw new UpstreamFault('unreachable', 'The server does not read its requests')
      return await untilAborted(answer, deadline.signal)
    } catch (error) {
      const cancelled = { requestId: id, reason: cancelReason, _meta: envelope }
      process.write(writeMessage(null, 'notifications/cancelled', JSON.stringify(cancelled)))
      throw error
    } finally {
      this.#pending.delete(id)
      handler.end()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#process?.stop()
  }

  async #ensureRunning(): Promise<RunningProcess> {
    if (this.#running !== null) return this.#running
    this.#starting ??= this.#startWhenDue().finally(() => {
      this.#starting = null
    })
    return await this.#starting
  }

  async #startWhenDue(): Promise<RunningProcess> {
    const { waitMs } = this.#backoff
    if (waitMs > maxStartWaitMs)
      throw new UpstreamFault(
        'unreachable',
        `The process of the server ended; it can be started again in ${Math.ceil(waitMs / 1_000)} s`,
      )
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    return await this.#start()
  }

  async #start(): Promise<RunningProcess> {
    if (this.#isClosed) throw new UpstreamFault('unreachable', 'The service is stopping')
    const { transport, maxLineBytes, clientInfo, onOutput } = this.#options
    const ended = new AbortController()
    this.#backoff.onStart()
    this.#garbageBytes = 0
    const process: ServerProcess = new ServerProcess({
      transport,
      maxLineBytes,
      onLine: (line) => this.#receive(process, line),
      onStderr: onOutput,
      onEnd: (why) => {
        this.#onEnd(why)
        ended.abort(new UpstreamFault('unreachable', why))
      },
    })
    this.#process = process
    const handshake = startHandshake(process, clientInfo, this.#isLegacy, ended.signal)
    this.#handshake = handshake
    try {
      this.#running = { process, handshake: await handshake.done }
      return this.#running
    } catch (error) {
      // Some older servers exit when the first request is not `initialize`.
      const mayBeOlder = ended.signal.aborted && !this.#isLegacy
      await process.stop()
      if (!mayBeOlder) throw error
      this.#isLegacy = true
      return await this.#start()
    } finally {
      if (this.#handshake === handshake) this.#handshake = null
    }
  }

  #onEnd(why: string): void {
    this.#process = null
    this.#running = null
    this.#backoff.onEnd()
    if (!this.#isClosed) this.#options.onOutput(`${why}. It is started again with the next request.`)
    this.#pending.failAll(new UpstreamFault('unreachable', why))
  }

  async #receive(process: ServerProcess, output: OutputLine): Promise<void> {
    if ('tooLong' in output) {
      if (!this.#pending.failTooLarge(output.tooLong))
        this.#killWith(process, badAnswer('The server wrote a line that is too long'))
      return
    }
    const { line } = output
    const messages = await this.#read(line)
    if (messages === null) {
      this.#garbageBytes += line.length + 1
      if (this.#garbageBytes > maxGarbageBytes)
        this.#killWith(process, badAnswer('The server writes output that is not JSON-RPC'))
      return
    }
    this.#garbageBytes = 0
    if (this.#handshake !== null && this.#process === process) this.#handshake.handle(line)
    for (const message of messages) await this.#route(process, message, line.length)
  }

  /** Returns null for a line that is not a message, because some servers write their log to stdout. */
  async #read(line: Buffer): Promise<Message[] | null> {
    const first = line.toString('latin1', 0, 8).trimStart()[0]
    if (first !== '{' && first !== '[') return null
    try {
      return await readMessages(line, this.#options.yieldToEventLoop)
    } catch (error) {
      if (error instanceof UpstreamFault) return null
      throw error
    }
  }

  async #route(process: ServerProcess, message: Message, bytes: number): Promise<void> {
    if (message.type === 'request') {
      // Only pings are answered, because the handshake declared no capabilities.
      const reply =
        message.method === 'ping' ? '{"result":{}}' : '{"error":{"code":-32601,"message":"Method not found"}}'
      process.write(writeReply(message.id, reply))
      return
    }
    if (message.type === 'notification') {
      if (message.method === 'notifications/tools/list_changed') this.#options.onListChanged()
      if (message.method !== 'notifications/progress') return
    }
    await this.#pending.deliver(message, bytes)
  }

  #killWith(process: ServerProcess, fault: UpstreamFault): void {
    this.#pending.failAll(fault)
    process.kill()
  }
}
