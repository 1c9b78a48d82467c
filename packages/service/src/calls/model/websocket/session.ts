import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { type BodyAccount, isStalledReader, toApiError } from '../../../http/index.js'
import { ApiError, invalidRequest } from '../../../shared/errors.js'
import { errorMessage } from './error-message.js'
import type { SocketLimits } from './limits.js'
import type { SocketChannel } from './socket-caller.js'
import type { SocketCalls } from './socket-calls.js'

export interface SessionParts {
  limits: SocketLimits
  /** Opens an account for the memory that the socket holds. */
  openAccount(): BodyAccount
  makeCalls(channel: SocketChannel): Pick<SocketCalls, 'start' | 'forget'>
  /** Called when a call begins. `hasBegun` reports whether its answer has begun to reach the caller. */
  track(call: Promise<unknown>, hasBegun: () => boolean): void
}

/** One socket, whose messages become calls, one after the other. */
export class SocketSession {
  readonly #webSocket: WebSocket
  readonly #socket: Socket
  readonly #parts: SessionParts
  readonly #channel: SocketChannel
  readonly #calls: ReturnType<SessionParts['makeCalls']>
  readonly #waiting: { raw: Buffer; account: BodyAccount }[] = []
  /** Counts the bytes of the message that is arriving. */
  #arriving: BodyAccount
  #drained: () => void = () => undefined
  #isBusy = false
  #faults = 0
  #isAlive = true
  #activeMs = performance.now()
  /** Set when the socket is to be closed as soon as no call is open. */
  #ending: { code: number; reason: string } | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(webSocket: WebSocket, socket: Socket, parts: SessionParts) {
    this.#webSocket = webSocket
    this.#socket = socket
    this.#parts = parts
    this.#channel = this.#makeChannel()
    this.#calls = parts.makeCalls(this.#channel)
    this.#arriving = this.#parts.openAccount()
    // Added before the library's own listener, so that a chunk is counted before it completes a message.
    socket.prependListener('data', (chunk: Buffer) => this.#count(chunk.length))
    socket.on('drain', () => this.#drain())
    webSocket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    webSocket.on('ping', (data) => this.#answerPing(data))
    webSocket.on('pong', (data) => this.#arriving.free(data.length + controlFrameHead))
    // For frames that cannot be read, the library closes the socket with a reason.
    webSocket.on('error', () => undefined)
    webSocket.once('close', () => this.#release())
  }

  /** Pings the peer, and ends a socket that is idle. */
  check(): void {
    if (!this.#isAlive) {
      this.terminate()
      return
    }
    this.#isAlive = false
    this.#webSocket.ping()
    if (!this.#isBusy && performance.now() - this.#activeMs > this.#parts.limits.idleMs)
      this.end(1001, 'The socket was idle for too long')
  }

  /** Closes the socket once no call is open. */
  end(code: number, reason: string): void {
    if (this.#ending !== null) return
    this.#ending = { code, reason }
    this.#dropWaiting()
    if (!this.#isBusy) this.#close()
  }

  /** Called when the caller loses its access. An open call may end by itself first, so that its caller receives its error. */
  revoke(why: ApiError): void {
    this.end(1008, why.message)
    if (!this.#isBusy) return
    this.#timer ??= setTimeout(() => {
      this.#channel.send(errorMessage(why))
      this.#close()
    }, this.#parts.limits.revokedMs)
  }

  /** Terminates a socket that is ending unless a call is open, without waiting for a peer that does not read. */
  terminateIfIdle(): void {
    if (!this.#isBusy) this.terminate()
  }

  terminate(): void {
    this.#webSocket.terminate()
  }

  #makeChannel(): SocketChannel {
    const webSocket = this.#webSocket
    return {
      isOpen: () => webSocket.readyState === WebSocket.OPEN,
      isStalled: () => isStalledReader(this.#socket),
      send: (message) => {
        if (webSocket.readyState === WebSocket.OPEN) webSocket.send(message)
      },
      needsDrain: () => this.#socket.writableNeedDrain,
      onDrain: (listener) => {
        this.#drained = listener
      },
      onClose: (listener) => {
        webSocket.once('close', listener)
        return () => void webSocket.off('close', listener)
      },
      terminate: () => this.terminate(),
    }
  }

  #count(bytes: number): void {
    this.#isAlive = true
    if (this.#ending !== null) return
    try {
      this.#arriving.take(bytes)
    } catch (error) {
      this.#channel.send(errorMessage(toApiError(error)))
      this.end(1013, 'There is not enough memory for this message at the moment')
    }
  }

  /** Answers a ping, unless the peer does not read: answers would pile up then. */
  #answerPing(data: Buffer): void {
    this.#arriving.free(data.length + controlFrameHead)
    if (!this.#socket.writableNeedDrain) this.#webSocket.pong(data)
  }

  #receive(data: WebSocket.RawData, isBinary: boolean): void {
    this.#arriving.release()
    this.#arriving = this.#parts.openAccount()
    if (this.#ending !== null) return
    try {
      this.#enqueue(data, isBinary)
    } catch (error) {
      this.#refuse(toApiError(error))
    }
  }

  #enqueue(data: WebSocket.RawData, isBinary: boolean): void {
    if (isBinary || !Buffer.isBuffer(data)) throw invalidRequest('Send messages as text')
    const { queued } = this.#parts.limits
    if (this.#waiting.length >= queued) throw tooManyWaiting(queued)
    const account = this.#parts.openAccount()
    account.take(data.length)
    this.#waiting.push({ raw: data, account })
    this.#next()
  }

  #refuse(error: ApiError): void {
    // The peer does not read its messages.
    if (this.#webSocket.bufferedAmount > this.#parts.limits.unreadBytes) this.terminate()
    else this.#channel.send(errorMessage(error))
    this.#countFault()
  }

  /** Counts an invalid message. Too many in a row end the socket. */
  #countFault(): void {
    this.#faults += 1
    if (this.#faults >= this.#parts.limits.faults) this.end(1008, 'Too many invalid messages')
  }

  #drain(): void {
    this.#drained()
    this.#next()
  }

  /** Begins the next call, once the previous answer was read. */
  #next(): void {
    if (this.#isBusy || this.#ending !== null || this.#socket.writableNeedDrain) return
    const waiting = this.#waiting.shift()
    if (waiting === undefined) return
    this.#isBusy = true
    const { done, hasBegun } = this.#calls.start(waiting.raw, waiting.account)
    this.#parts.track(
      done.then(({ isFault }) => this.#finish(isFault)),
      hasBegun,
    )
  }

  #finish(isFault: boolean): void {
    this.#drained = () => undefined
    this.#activeMs = performance.now()
    this.#isBusy = false
    if (isFault) this.#countFault()
    else this.#faults = 0
    // The socket was closed while its call was still being read.
    if (this.#webSocket.readyState === WebSocket.CLOSED) this.#calls.forget()
    else if (this.#ending === null) this.#next()
    else this.#close()
  }

  #close(): void {
    if (this.#ending === null || this.#webSocket.readyState !== WebSocket.OPEN) return
    const { code, reason } = this.#ending
    this.#webSocket.close(code, reason.slice(0, maxReason))
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.terminate(), this.#parts.limits.closeMs)
  }

  #dropWaiting(): void {
    for (const { account } of this.#waiting.splice(0)) account.release()
  }

  #release(): void {
    this.#ending ??= { code: 1006, reason: '' }
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#dropWaiting()
    this.#arriving.release()
    this.#calls.forget()
  }
}

// The header of a ping or pong: two bytes and the mask. Subtracting more would uncount bytes of the arriving message.
const controlFrameHead = 6
// The longest reason of a close frame in bytes. The reasons here are ASCII.
const maxReason = 123

const tooManyWaiting = (queued: number) =>
  new ApiError(
    'rate_limit_exceeded',
    `${queued} messages are already queued on this socket: wait for an answer, or open another socket`,
    { retry_after: 1 },
  )
