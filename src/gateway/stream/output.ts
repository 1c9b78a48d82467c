import type { Hmac } from 'node:crypto'
import { startCommitment } from '../../governed/index.js'
import {
  type EventAction,
  EventSplitter,
  type ReportedError,
  type ReportedUsage,
  type StreamEvent,
  type StreamReader,
} from '../../providers/index.js'
import { type Answer, callerGone, type Ending, type UpstreamHead } from '../answer.js'
import type { Call } from '../call.js'
import type { Caller, CallerStream } from '../caller.js'
import type { CallContent } from '../content.js'
import { StreamContent } from './stream-content.js'

export interface RelayOptions {
  call: Call
  caller: Caller
  commitmentKey: Buffer
  /** Null where nothing is kept of what the call says. */
  content: CallContent | null
  headers: UpstreamHead['headers']
  /** The caller is sent nothing before there is content: until then the call can still be tried elsewhere. */
  isHeld: boolean
  /** Resumes reading from the provider, after `push` returned false. */
  resume(): void
  /** Called once, when the stream came to its end. */
  done(answer: Answer): void
  /** Ends the call before that. */
  abort(ending: Ending): void
}

/** Takes a provider's stream to the caller. */
export interface Relay {
  /** Returns false to stop reading until `resume`. Throws when the stream is unreadable. */
  push(chunk: Buffer): boolean
  /** The provider closed the stream. */
  end(): void
  /** The caller is gone: nothing more is written to it, and the rest is read for its usage alone. */
  detach(): void
  /** The caller has been sent something of it. */
  hasReachedCaller(): boolean
  /** The model has produced something. */
  hasBegun(): boolean
  /** The model has finished; only its usage may still be missing. */
  isFinished(): boolean
  /** The stream cannot go on: the provider failed, the caller hung up, the service stops, or a policy objects. */
  abort(ending: Ending): Answer
}

export const nothing = Buffer.alloc(0)

// A caller that hears nothing for longer may give up: then it is better to stay with this target.
const maxHoldMs = 15_000
const maxHeldBytes = 4 * 1024 * 1024

interface Written {
  bytes: Buffer
  redacted: readonly Buffer[]
}

/** Events can be split only in a stream that is declared as one and is not compressed. */
export function isEventStream({ status, headers }: UpstreamHead): boolean {
  const encoding = headers['content-encoding'] ?? 'identity'
  return (
    status === 200 && encoding === 'identity' && /^text\/event-stream/i.test(String(headers['content-type']))
  )
}

/** The caller's side of a stream: what was written to it, and how it ends once the receipt is durable. */
export class StreamOutput {
  readonly #options: RelayOptions
  /** Null before the caller is sent anything. */
  #stream: CallerStream | null = null
  #hasBegun = false
  /** Waits for content. */
  readonly #held: Written[] = []
  #heldBytes = 0
  readonly #patience: NodeJS.Timeout | null
  readonly #commitment: Hmac
  #isDetached = false
  #hasEvents = false
  /** The error that the provider reported inside the stream. */
  #reportedError: ReportedError | null = null
  /** That error was all that came: the provider refused the call, as it would have with a status. */
  #isRefused = false
  readonly splitter = new EventSplitter()
  readonly reader: StreamReader
  readonly #content: StreamContent | null

  constructor(options: RelayOptions) {
    const { call, commitmentKey, content, isHeld } = options
    this.#options = options
    this.reader = call.dialect.readStream(call.body)
    this.#commitment = startCommitment(commitmentKey)
    this.#content = content && new StreamContent(content.mode, call)
    this.#patience = isHeld ? setTimeout(() => this.#open(), maxHoldMs) : null
    if (!isHeld) this.#open()
  }

  #open(): CallerStream {
    if (this.#stream !== null) return this.#stream
    const { caller, headers, resume } = this.#options
    this.#stopWaiting()
    const stream = caller.openStream(headers)
    this.#stream = stream
    stream.onDrain(resume)
    for (const written of this.#held.splice(0)) this.#send(stream, written)
    return stream
  }

  #stopWaiting(): void {
    if (this.#patience !== null) clearTimeout(this.#patience)
  }

  get hasReachedCaller(): boolean {
    return this.#stream !== null
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  read(event: StreamEvent): EventAction {
    const action = this.reader.read(event)
    if (this.#reportedError === null && this.reader.failed()) {
      this.#reportedError = { status: null, text: event.data }
      this.#isRefused = !this.#hasEvents
    }
    if (event.data !== '') this.#hasEvents = true
    if (!this.#hasBegun) this.#hasBegun = !this.#isPreamble(event)
    return action
  }

  /** Comments have no content: they keep the connection alive. */
  #isPreamble({ data, content }: StreamEvent): boolean {
    if (data === '') return true
    const { isPreamble } = this.#options.call.dialect
    return content !== null && isPreamble?.(content) === true
  }

  /** From now on nothing is written. */
  detach(): void {
    this.#isDetached = true
  }

  get isDetached(): boolean {
    return this.#isDetached
  }

  /** Reads what comes after the caller is gone. Always wants more. */
  drain(chunk: Buffer): true {
    for (const event of this.splitter.push(chunk)) {
      if (this.read(event) !== 'last') continue
      this.complete(nothing)
      break
    }
    return true
  }

  /** The provider closed a stream whose caller is gone. */
  drainEnd(): void {
    const rest = this.splitter.takeRest()
    if (rest !== null && rest.content !== null) this.read(rest)
    if (this.reader.finished()) this.complete(nothing)
    else this.#options.done(this.abort(callerGone))
  }

  /**
   * Returns false while the caller reads more slowly than the provider writes. `redacted`: the same without what policies put
   * back for the caller.
   */
  write(pieces: Buffer[], redacted = pieces): boolean {
    const [first] = pieces
    if (this.#isDetached) return true
    if (!first) return true
    const written = { bytes: pieces.length === 1 ? first : Buffer.concat(pieces), redacted }
    if (this.#stream !== null) return this.#send(this.#stream, written)
    this.#heldBytes += written.bytes.length
    const isFailing = this.reader.failed()
    // What waits is bounded: a provider may send what is no content without end.
    if (this.#heldBytes > maxHeldBytes || (this.#hasBegun && !isFailing))
      return this.#send(this.#open(), written)
    this.#held.push(written)
    return true
  }

  #send(stream: CallerStream, { bytes, redacted }: Written): boolean {
    this.#commitment.update(bytes)
    if (this.#content?.mode === 'full') this.#content.add(bytes)
    else if (this.#content) for (const piece of redacted) this.#content.add(piece)
    return stream.write(bytes)
  }

  get needsDrain(): boolean {
    return this.#stream?.needsDrain() ?? false
  }

  complete(last: Buffer, redacted = last): void {
    const failed = this.reader.failed()
    if (!failed && !this.#isDetached) this.#open()
    if (!this.#isDetached) this.#content?.add(this.#content.mode === 'full' ? last : redacted)
    if (!this.#isDetached && !failed) this.#content?.complete()
    if (this.#isDetached) this.#options.done(this.#answer(callerGone.outcome, callerGone.status, nothing))
    else this.#options.done(this.#answer(failed ? 'upstream_error' : 'ok', failed ? 502 : 200, last))
  }

  abort({ outcome, status, error }: Ending): Answer {
    const last = error ? Buffer.from(this.#options.call.dialect.streamError(error.toBody())) : nothing
    return this.#answer(outcome, status, last, error)
  }

  /** Once the model has finished, only its count can be missing, however the stream ends. */
  #seen(): Answer['seen'] {
    if (this.#isRefused) return 'nothing'
    return this.reader.finished() && !this.reader.failed() ? 'whole' : 'part'
  }

  #answer(outcome: Answer['outcome'], status: number, last: Buffer, error: Answer['error'] = null): Answer {
    const { caller, call } = this.#options
    this.#stopWaiting()
    // Where it was sent nothing yet, the caller gets an error instead of a stream that ends with one.
    const isUnsent = this.#stream === null
    const held = this.#held.splice(0)
    for (const { bytes } of held) this.#commitment.update(bytes)
    const end = (last: Buffer | string) => {
      const stream = this.#open()
      for (const { bytes } of held) stream.write(bytes)
      // A caller that does not read would never get to the end of what is buffered for it.
      if (caller.isGone() || (outcome === 'aborted' && stream.needsDrain())) stream.destroy()
      else stream.end(last)
    }
    return {
      outcome,
      status,
      usage: reportedSoFar(this.reader),
      seen: this.#seen(),
      produced: () => this.reader.produced,
      reportedError: this.#reportedError,
      upstreamModel: this.reader.model(),
      issued: this.reader.issued?.() ?? [],
      firstByteMs: null,
      upstreamStatus: null,
      exceeded: null,
      failure: null,
      error,
      commitment: this.#commitment.update(last).digest('hex'),
      sent: this.#content,
      release: (headers) => (isUnsent && error ? caller.sendError(error, headers) : end(last)),
      withhold: (fault) =>
        isUnsent ? caller.sendError(fault, {}) : end(call.dialect.streamError(fault.toBody())),
    }
  }
}

/** An output that was reported before the end may not be all of it. */
function reportedSoFar(reader: StreamReader): ReportedUsage | null {
  const usage = reader.usage()
  return usage && { ...usage, hasOutput: usage.hasOutput && reader.finished() }
}
