import { setTimeout as pause } from 'node:timers/promises'
import { withDeadline } from '../../../shared/deadline.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import { untilAborted } from '../deadline.js'
import { UpstreamFault } from '../fault.js'
import type { Message } from '../protocol/messages.js'
import { mediaTypeOf, readAnswer } from './read-answer.js'
import type { HttpAnswer } from './send.js'

type OnMessage = (message: Message) => void
type Open = (signal: AbortSignal) => Promise<HttpAnswer>

// Some servers send headers only with the first event. The call does not wait for them any longer than this.
const maxWaitMs = 2_000
// The stream stays open a little for the next call. It cannot stay longer, because a session has one such stream and other replicas wait.
const lingerMs = 1_000
const firstRetryMs = 100
const maxRetryMs = 1_000
// How long it is remembered that a server has no such stream.
const refusedMs = 600_000
const maxRefused = 10_000

interface SessionStream {
  listeners: OnMessage[]
  closing: AbortController
  lingering: NodeJS.Timeout | undefined
  /** Resolves when the stream is open or could not be opened. */
  ready: Promise<void>
}

/**
 * Manages the streams of sessions, on which servers send messages that belong to no particular call. Many servers send their questions
 * there. A stream is open during calls whose callers can be asked. Its messages go to the latest of these calls, and progress to all.
 */
export function createSessionStreams({ yieldToEventLoop }: { yieldToEventLoop: YieldToEventLoop }) {
  // Bounded: sessions with open calls.
  const streams = new Map<string, SessionStream>()
  // Bounded: 10,000; then it is cleared.
  const refused = new Map<string, number>()

  async function run(stream: SessionStream, key: string, open: Open, isOpen: () => void): Promise<void> {
    const { listeners, closing } = stream
    const answer = await openWhenFree(closing.signal, open)
    try {
      if (answer.status !== 200 || mediaTypeOf(answer) !== 'text/event-stream') {
        noteRefusal(key)
        return
      }
      isOpen()
      const resumePoint = { lastEventId: null, retryMs: null }
      for await (const message of readAnswer(answer, yieldToEventLoop, resumePoint)) {
        const isProgress = message.type === 'notification' && message.method === 'notifications/progress'
        for (const onMessage of isProgress ? [...listeners] : listeners.slice(-1)) onMessage(message)
      }
    } finally {
      answer.discard()
    }
  }

  /** Opens the stream. The server answers 409 while the stream is open elsewhere, or until it notices that it was closed. */
  async function openWhenFree(signal: AbortSignal, open: Open): Promise<HttpAnswer> {
    for (let waitMs = firstRetryMs; ; waitMs = Math.min(waitMs * 2, maxRetryMs)) {
      const answer = await open(signal)
      if (answer.status !== 409) return answer
      answer.discard()
      await pause(waitMs, undefined, { signal })
    }
  }

  function noteRefusal(key: string): void {
    if (refused.size >= maxRefused) refused.clear()
    refused.set(key, Date.now() + refusedMs)
  }

  function start(key: string, open: Open): SessionStream {
    let isOpen: () => void = () => undefined
    const ready = new Promise<void>((resolve) => {
      isOpen = resolve
    })
    const stream = { listeners: [], closing: new AbortController(), lingering: undefined, ready }
    streams.set(key, stream)
    run(stream, key, open, isOpen)
      .catch(() => undefined)
      .finally(() => {
        isOpen()
        if (streams.get(key) === stream) streams.delete(key)
      })
    return stream
  }

  function close(key: string, stream: SessionStream): void {
    if (streams.get(key) === stream) streams.delete(key)
    stream.closing.abort(new UpstreamFault('cancelled', 'No call listens to the stream any more'))
  }

  return {
    /** Listens to the messages of a session. Waits until its stream is open. Returns a function that stops listening. */
    async listen(key: string, onMessage: OnMessage, open: Open, signal: AbortSignal): Promise<() => void> {
      if ((refused.get(key) ?? 0) > Date.now()) return () => undefined
      const stream = streams.get(key) ?? start(key, open)
      stream.listeners.push(onMessage)
      clearTimeout(stream.lingering)
      const stopListening = () => {
        const at = stream.listeners.indexOf(onMessage)
        if (at === -1) return
        stream.listeners.splice(at, 1)
        if (stream.listeners.length === 0) stream.lingering = setTimeout(() => close(key, stream), lingerMs)
      }
      await untilAborted(stream.ready, withDeadline(signal, maxWaitMs)).catch(() => undefined)
      return stopListening
    },
    close(): void {
      for (const [key, stream] of streams) {
        clearTimeout(stream.lingering)
        close(key, stream)
      }
    },
  }
}
