import type { Answer, Ending, UpstreamHead } from '../answer.js'
import type { Call } from '../call.js'
import type { Caller } from '../caller.js'
import type { CallContent } from '../content.js'

export interface RelayOptions {
  call: Call
  caller: Caller
  commitmentKey: Buffer
  /** Captures the content. Null when the tenant does not capture content. */
  content: CallContent | null
  headers: UpstreamHead['headers']
  /** Whether nothing is sent before there is content, so that another attempt remains possible. */
  isHeld: boolean
  /** Resumes reading from the provider, after `push` returned false. */
  resume(): void
  /** Called once, when the stream has ended. */
  done(answer: Answer): void
  /** Ends the call early. */
  abort(ending: Ending): void
}

/** Relays a provider's stream to the caller. */
export interface Relay {
  /** Returns false to stop reading until `resume`. Throws when the stream is unreadable. */
  push(chunk: Buffer): boolean
  /** Called when the provider closed the stream. */
  end(): void
  /** Called when the caller has disconnected. The rest is read only for its usage. */
  detach(): void
  /** True when something was sent to the caller. */
  hasReachedCaller(): boolean
  /** True when the model has produced content. */
  hasBegun(): boolean
  /** True when the model has finished. Only its usage may still be missing. */
  isFinished(): boolean
  /** Ends the stream early: the provider failed, the caller disconnected, the service stops, or a policy refused it. */
  abort(ending: Ending): Answer
}

/** True for a stream that is declared as an event stream and is not compressed, so that its events can be read. */
export function isEventStream({ status, headers }: UpstreamHead): boolean {
  const encoding = headers['content-encoding'] ?? 'identity'
  return (
    status === 200 && encoding === 'identity' && /^text\/event-stream/i.test(String(headers['content-type']))
  )
}
