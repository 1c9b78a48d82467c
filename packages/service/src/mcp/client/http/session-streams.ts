import { setTimeout as pause } from 'node:timers/promises'
import { withDeadline } from '../../../shared/deadline.js'
import type { WaitForTurn } from '../../../shared/turns.js'
import { untilAborted } from '../deadline.js'
import { UpstreamFault } from '../fault.js'
import type { Message } from '../protocol/messages.js'
import { mediaTypeOf, readAnswer } from './read-answer.js'
import type { HttpAnswer } from './send.js'

type Overhear = (message: Message) => void
type Open = (signal: AbortSignal) => Promise<HttpAnswer>

// A server that sends no headers before its first event must not keep the call waiting.
const maxWaitMs = 2_000
// Whoever calls again soon finds it open. Other replicas wait for its end: a session has one such stream.
const lingerMs = 1_000
const firstRetryMs = 100
const maxRetryMs = 1_000
// How long a server is not asked again that has no such stream.
const refusedMs = 600_000
const maxRefused = 10_000

interface SessionStream {
  listeners: Overhear[]
  closing: AbortController
  lingering: NodeJS.Timeout | undefined
  /** Resolves when it is open, or cannot be. */
  ready: Promise<void>
}

/**
 * The stream that a server may send requests by which belong to a session and to no call: many ask their questions there. It is
 * open while calls are under way whose callers can be asked, and what comes goes to the newest of them.
 */
export function createSessionStreams({ waitForTurn }: { waitForTurn: WaitForTurn }) {
  // Bounded: sessions with calls under way.
  const streams = new Map<string, SessionStream>()
  // Bounded: 10,000; then it begins again.
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
      const place = { lastEventId: null, retryMs: null }
      for await (const message of readAnswer(answer, waitForTurn, place)) {
        const isProgress = message.type === 'notification' && message.method === 'notifications/progress'
        for (const overhear of isProgress ? [...listeners] : listeners.slice(-1)) overhear(message)
      }
    } finally {
      answer.discard()
    }
  }

  /** While another replica listens, or the server has not noticed that nobody does any more, it says 409. */
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
    stream.closing.abort(new UpstreamFault('cancelled', 'Nobody listens any more'))
  }

  return {
    /** Returns how to stop listening. */
    async join(key: string, overhear: Overhear, open: Open, signal: AbortSignal): Promise<() => void> {
      if ((refused.get(key) ?? 0) > Date.now()) return () => undefined
      const stream = streams.get(key) ?? start(key, open)
      stream.listeners.push(overhear)
      clearTimeout(stream.lingering)
      const leave = () => {
        const at = stream.listeners.indexOf(overhear)
        if (at === -1) return
        stream.listeners.splice(at, 1)
        if (stream.listeners.length === 0) stream.lingering = setTimeout(() => close(key, stream), lingerMs)
      }
      await untilAborted(stream.ready, withDeadline(signal, maxWaitMs)).catch(() => undefined)
      return leave
    },
    close(): void {
      for (const [key, stream] of streams) {
        clearTimeout(stream.lingering)
        close(key, stream)
      }
    },
  }
}
