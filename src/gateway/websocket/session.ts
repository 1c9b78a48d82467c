import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { ApiError, invalidRequest } from '../../errors.js'
import { type BodyAccount, isStalledReader, toApiError } from '../../http/index.js'
import { errorMessage } from './error-message.js'
import type { SocketLimits } from './limits.js'
import type { SocketLine } from './socket-caller.js'
import type { SocketCalls } from './socket-calls.js'

export interface SessionParts {
  limits: SocketLimits
  /** For what the socket holds. */
  openAccount(): BodyAccount
  makeCalls(line: SocketLine): Pick<SocketCalls, 'start' | 'forget'>
  /** A call is under way. `hasBegun`: its answer has begun to reach the caller. */
  track(call: Promise<unknown>, hasBegun: () => boolean): void
}

/** One socket: its messages become calls, one after the other. */
export class SocketSession {
  readonly #webSocket: WebSocket
  readonly #socket: Socket
  readonly #parts: SessionParts
  readonly #line: SocketLine
  readonly #calls: ReturnType<SessionParts['makeCalls']>
  readonly #waiting: { raw: Buffer; account: BodyAccount }[] = []
  /** What has come of a message that is not complete. */
  #arriving: BodyAccount
  #drained: () => void = () => undefined
  #isBusy = false
  #faults = 0
  #isAlive = true
  #activeMs = performance.now()
  /** It is to be closed as soon as no call is under way. */
  #ending: { code: number; reason: string } | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(webSocket: WebSocket, socket: Socket, parts: SessionParts) {
    this.#webSocket = webSocket
    this.#socket = socket
    this.#parts = parts
    this.#line = this.#makeLine()
    this.#calls = parts.makeCalls(this.#line)
    this.#arriving = this.#parts.openAccount()
    // Before the library's own listener: a chunk that completes a message is counted by then.
    socket.prependListener('data', (chunk: Buffer) => this.#count(chunk.length))
    socket.on('drain', () => this.#drain())
    webSocket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    webSocket.on('ping', (data) => this.#answerPing(data))
    webSocket.on('pong', (data) => this.#arriving.giveBack(data.length + controlFrameHead))
    // Frames that cannot be read: the library closes the socket and says why.
    webSocket.on('error', () => undefined)
    webSocket.once('close', () => this.#release())
  }

  /** Asks the peer whether it is still there, and ends a socket that nobody uses. */
  check(): void {
    if (!this.#isAlive) {
      this.terminate()
      return
    }
    this.#isAlive = false
    this.#webSocket.ping()
    if (!this.#isBusy && performance.now() - this.#activeMs > this.#parts.limits.idleMs)
      this.end(1001, 'Nothing was asked on it for long')
  }

  /** Closes it once no call is under way. */
  end(code: number, reason: string): void {
    if (this.#ending !== null) return
    this.#ending = { code, reason }
    this.#dropWaiting()
    if (!this.#isBusy) this.#close()
  }

  /** Its caller may call no more. A call under way has a moment to end by itself, so that its caller is told by it. */
  revoke(why: ApiError): void {
    this.end(1008, why.message)
    if (!this.#isBusy) return
    this.#timer ??= setTimeout(() => {
      this.#line.send(errorMessage(why))
      this.#close()
    }, this.#parts.limits.revokedMs)
  }

  /** For one that was told to end: does not wait for a peer that does not read. What a call under way ends with is still said. */
  letGo(): void {
    if (!this.#isBusy) this.terminate()
  }

  terminate(): void {
    this.#webSocket.terminate()
  }

  #makeLine(): SocketLine {
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
      this.#line.send(errorMessage(toApiError(error)))
      this.end(1013, 'There is no room for this message now')
    }
  }

  /** A peer that asks and does not read would have us write answers without end. */
  #answerPing(data: Buffer): void {
    this.#arriving.giveBack(data.length + controlFrameHead)
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
    // It does not read what it is told.
    if (this.#webSocket.bufferedAmount > this.#parts.limits.unreadBytes) this.terminate()
    else this.#line.send(errorMessage(error))
    this.#countFault()
  }

  /** What is no call. A caller that sends nothing else is not served any longer. */
  #countFault(): void {
    this.#faults += 1
    if (this.#faults >= this.#parts.limits.faults) this.end(1008, 'Too many messages that are no calls')
  }

  #drain(): void {
    this.#drained()
    this.#next()
  }

  /** No call begins while the answer ahead of it is not read. */
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
    // The socket went while its call was read on.
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

// Of a ping or a pong: two bytes and the mask. More would let them hide what has come of a message.
const controlFrameHead = 6
// Of a close frame, in bytes; our words have one each.
const maxReason = 123

const tooManyWaiting = (queued: number) =>
  new ApiError(
    'rate_limit_exceeded',
    `${queued} messages wait for the call ahead of them: wait for its answer, or open another socket`,
    { retry_after: 1 },
  )
