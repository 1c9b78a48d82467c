import {
  type EventAction,
  EventSplitter,
  type ReportedError,
  type ReportedUsage,
  type StreamEvent,
  type StreamReader,
} from '../../../providers/index.js'
import { StreamCommitment } from '../../core/index.js'
import { type Answer, callerGone, type Ending, modelField } from '../answer.js'
import type { CallerStream } from '../caller.js'
import type { RelayOptions } from './relay-contract.js'
import { StreamContent } from './stream-content.js'

export const noBytes = Buffer.alloc(0)

// After this long without data a caller may give up, so the stream is opened and no other target is tried.
const maxHoldMs = 15_000
const maxHeldBytes = 4 * 1024 * 1024

interface Written {
  bytes: Buffer
  redacted: readonly Buffer[]
}

/** The caller's side of a stream. Its end is sent once the receipt is durable. */
export class StreamOutput {
  readonly #options: RelayOptions
  /** Null before anything was sent to the caller. */
  #stream: CallerStream | null = null
  #hasBegun = false
  /** What is held until there is content. */
  readonly #held: Written[] = []
  #heldBytes = 0
  readonly #holdTimer: NodeJS.Timeout | null
  readonly #commitment: StreamCommitment
  #isDetached = false
  #hasEvents = false
  /** The error that the provider reported inside the stream. */
  #reportedError: ReportedError | null = null
  /** Whether that error was the first event, so that the provider refused the call. */
  #isRefused = false
  readonly splitter = new EventSplitter()
  readonly reader: StreamReader
  readonly #content: StreamContent | null

  constructor(options: RelayOptions) {
    const { call, commitmentKey, content, isHeld } = options
    this.#options = options
    this.reader = call.endpoint.readStream(call.body)
    this.#commitment = new StreamCommitment(commitmentKey)
    this.#content = content && new StreamContent(content.mode, call)
    this.#holdTimer = isHeld ? setTimeout(() => this.#open(), maxHoldMs) : null
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
    if (this.#holdTimer !== null) clearTimeout(this.#holdTimer)
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

  /** True for events before the content, including comments that keep the connection alive. */
  #isPreamble({ data, content }: StreamEvent): boolean {
    if (data === '') return true
    const { isPreamble } = this.#options.call.endpoint
    return content !== null && isPreamble?.(content) === true
  }

  /** Stops writing to the caller. */
  detach(): void {
    this.#isDetached = true
  }

  get isDetached(): boolean {
    return this.#isDetached
  }

  /** Reads what arrives after the caller has disconnected. */
  drain(chunk: Buffer): true {
    for (const event of this.splitter.push(chunk)) {
      if (this.read(event) !== 'last') continue
      this.complete(noBytes)
      break
    }
    return true
  }

  /** Called when the provider closed a stream whose caller has disconnected. */
  drainEnd(): void {
    const rest = this.splitter.takeRest()
    if (rest !== null && rest.content !== null) this.read(rest)
    if (this.reader.finished()) this.complete(noBytes)
    else this.#options.done(this.abort(callerGone))
  }

  /**
   * Writes to the caller. Returns false while the caller reads more slowly than the provider writes. `redacted` is the same without the
   * values that policies restored for the caller.
   */
  write(pieces: Buffer[], redacted = pieces): boolean {
    const [first] = pieces
    if (this.#isDetached) return true
    if (!first) return true
    const written = { bytes: pieces.length === 1 ? first : Buffer.concat(pieces), redacted }
    if (this.#stream !== null) return this.#send(this.#stream, written)
    this.#heldBytes += written.bytes.length
    const isFailing = this.reader.failed()
    // The held bytes are bounded, because a provider may send endless events without content.
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
    if (this.#isDetached) this.#options.done(this.#answer(callerGone.outcome, callerGone.status, noBytes))
    else this.#options.done(this.#answer(failed ? 'upstream_error' : 'ok', failed ? 502 : 200, last))
  }

  abort({ outcome, status, error }: Ending): Answer {
    const last = error ? Buffer.from(this.#options.call.endpoint.streamError(error.toBody())) : noBytes
    return this.#answer(outcome, status, last, error)
  }

  /** Returns how much of the answer was received. Once the model has finished, that is all of it, however the stream ends. */
  #received(): Answer['received'] {
    if (this.#isRefused) return 'nothing'
    return this.reader.finished() && !this.reader.failed() ? 'whole' : 'part'
  }

  #answer(outcome: Answer['outcome'], status: number, last: Buffer, error: Answer['error'] = null): Answer {
    const { caller, call } = this.#options
    this.#stopWaiting()
    // When nothing was sent yet, the caller receives a plain error instead of a stream that ends with one.
    const isUnsent = this.#stream === null
    const held = this.#held.splice(0)
    for (const { bytes } of held) this.#commitment.update(bytes)
    const end = (last: Buffer | string) => {
      const stream = this.#open()
      for (const { bytes } of held) stream.write(bytes)
      // A caller that does not read would never reach the end of what is buffered for it.
      if (caller.isGone() || (outcome === 'aborted' && stream.needsDrain())) stream.destroy()
      else stream.end(last)
    }
    return {
      outcome,
      status,
      usage: reportedSoFar(this.reader),
      received: this.#received(),
      produced: () => this.reader.produced,
      reportedError: this.#reportedError,
      receiptFields: modelField(this.reader.model()),
      issued: this.reader.issued?.() ?? [],
      firstByteMs: null,
      upstreamStatus: null,
      exceeded: null,
      failure: null,
      error,
      commitment: this.#commitment.end(last),
      sent: this.#content,
      release: (headers) => (isUnsent && error ? caller.sendError(error, headers) : end(last)),
      withhold: (fault) =>
        isUnsent ? caller.sendError(fault, {}) : end(call.endpoint.streamError(fault.toBody())),
    }
  }
}

/** Returns the reported usage. Output that was reported before the end may be incomplete. */
function reportedSoFar(reader: StreamReader): ReportedUsage | null {
  const usage = reader.usage()
  return usage && { ...usage, hasOutput: usage.hasOutput && reader.finished() }
}
