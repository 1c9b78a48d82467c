import { type EventAction, isDone, type StreamEvent } from '../../../providers/index.js'
import { ApiError } from '../../../shared/errors.js'
import type { Answer, Ending } from '../answer.js'
import { noBytes, StreamOutput } from './output.js'
import type { Relay, RelayOptions } from './relay-contract.js'
import { TextContinuation } from './text-continuation.js'

/**
 * Relays a stream event by event as it arrives. The event that tells the caller that the answer is complete, and the end of the response,
 * are held back until the receipt is durable.
 */
export class StreamRelay implements Relay {
  readonly #options: RelayOptions
  readonly #output: StreamOutput
  readonly #continuation: TextContinuation

  constructor(options: RelayOptions) {
    this.#options = options
    this.#output = new StreamOutput(options)
    this.#continuation = new TextContinuation(options.call)
  }

  push(chunk: Buffer): boolean {
    if (this.#output.isDetached) return this.#output.drain(chunk)
    const { splitter } = this.#output
    const relayed: Buffer[] = []
    for (const event of splitter.push(chunk)) {
      const action = this.#read(event)
      if (action === 'relay') relayed.push(event.raw)
      if (action !== 'last') continue
      this.#output.write(relayed)
      this.#output.complete(event.raw)
      return true
    }
    return this.#output.write(relayed)
  }

  #read(event: StreamEvent): EventAction {
    const { produced } = this.#output.reader
    const texts = this.#continuation.read(event)
    if (texts !== null) {
      produced.add(texts)
      return 'relay'
    }
    const before = produced.additions
    const action = this.#output.read(event)
    if (action === 'relay') this.#continuation.learn(event, produced.addedSince(before))
    return action
  }

  /** Ends the stream. Some providers never send a closing event; a finish reason is accepted instead. */
  end(): void {
    if (this.#output.isDetached) {
      this.#output.drainEnd()
      return
    }
    const { splitter, reader } = this.#output
    const rest = splitter.takeRest()
    // An event that lacks only its blank line is complete. A partial event would hide the error after it from the caller.
    const isWhole = rest !== null && (isDone(rest.data) || rest.content !== null)
    const action = isWhole ? this.#output.read(rest) : 'drop'
    if (rest !== null && action === 'relay') this.#output.write([rest.raw])
    if (reader.finished() || reader.failed()) {
      this.#output.complete(rest !== null && action === 'last' ? rest.raw : noBytes)
    } else {
      this.#options.done(this.abort(upstreamBroke()))
    }
  }

  detach(): void {
    this.#output.detach()
  }

  hasReachedCaller(): boolean {
    return this.#output.hasReachedCaller
  }

  hasBegun(): boolean {
    return this.#output.hasBegun
  }

  isFinished(): boolean {
    return this.#output.reader.finished()
  }

  abort(ending: Ending): Answer {
    return this.#output.abort(ending)
  }
}

export function upstreamBroke(): Ending {
  const error = new ApiError(
    'upstream_error',
    'The connection to the provider broke before the answer was complete',
  )
  return { outcome: 'upstream_error', status: error.status, error }
}
