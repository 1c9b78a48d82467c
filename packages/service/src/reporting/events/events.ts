import { type Changes, type Db, startPeriodic } from '../../db/index.js'
import type { Cursors } from '../../http/index.js'
import type { ReadReserved } from '../../resources/budgets/index.js'
import { serviceStopping } from '../../shared/errors.js'
import { createSemaphore } from '../../shared/semaphore.js'
import { type PrincipalNow, startAccessWatch } from './access-watch.js'
import { catchUp } from './catch-up.js'
import type { EventStream } from './event-stream.js'
import { writeEvent, writePing } from './event-text.js'
import { createFeeds, type Feed } from './feeds.js'
import { createEventIds, type EventIds, type Position } from './position.js'
import { resumeAt } from './resume.js'
import type { HelloEvent, StreamEnd } from './schema.js'
import { startStates } from './states/states.js'
import { createVisibleBudgets } from './states/visible-budgets.js'

export interface EventsOptions {
  db: Db
  changes: Changes
  cursors: Cursors
  principalNow: PrincipalNow
  readReserved: ReadReserved
  now(): Date
  onError(error: unknown): void
  pingEveryMs?: number
  stallMs?: number
}

/** Serves the event streams of this process. */
export interface Events {
  readonly ids: EventIds
  /**
   * Sends a stream the events since a position, or from now on, until it ends. `begin` is called when the stream
   * can no longer be refused; rejects before that.
   */
  serve(stream: EventStream, start: { at: Position | null; begin(): void }): Promise<void>
  /** Removes a stream that has ended. */
  leave(stream: EventStream): void
  /** Ends all streams with a last event. */
  close(): Promise<void>
}

// Below the idle timeouts of proxies, which start at 30 s.
const pingIntervalMs = 15_000
// Readers of a replica that stopped reconnect over a few seconds, not all at once.
const minRetryMs = 1_000
const retrySpreadMs = 2_000
const maxConcurrentReads = 4
const maxStallMs = 5_000

export function createEvents(options: EventsOptions): Events {
  const { db, onError, now, pingEveryMs = pingIntervalMs, stallMs = maxStallMs } = options
  const ids = createEventIds(options.cursors)
  // Bounded: open streams, which are bounded for each key and in total.
  const streams = new Set<EventStream>()
  const visibleBudgets = createVisibleBudgets(options)
  const feeds = createFeeds({ db, ids, onError, onEmpty: visibleBudgets.forget, onBehind })
  const states = startStates({ ...options, feeds, visibleBudgets })
  const access = startAccessWatch({ ...options, streams })
  const parts = { db, ids, limitReads: createSemaphore(maxConcurrentReads), stallMs }
  const pings = startPeriodic({
    everyMs: pingEveryMs,
    onError,
    async run() {
      for (const stream of streams)
        stream.write(writePing(ids.encode(stream.principal.tenantId, stream.position)))
    },
  })
  let closing = false

  function onBehind(feed: Feed, stream: EventStream): void {
    endOnError(stream, () => catchUp(parts, feed, stream))
  }

  /** An error status can no longer be sent, so a failure becomes the last event. */
  async function endOnError(stream: EventStream, act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      onError(error)
      stream.end(readFailed)
    }
  }

  async function resume(feed: Feed, stream: EventStream, at: Position): Promise<void> {
    const { position, gap } = await resumeAt(db, feed.tenantId, at, feed.position)
    stream.position = position
    if (gap !== null) stream.write(writeEvent('gap', gap, ids.encode(feed.tenantId, position)))
  }

  function sendHello(stream: EventStream, resumed: boolean): void {
    const { principal, view, position } = stream
    const retryMs = minRetryMs + Math.floor(Math.random() * retrySpreadMs)
    const hello: HelloEvent = {
      now: now().toISOString(),
      types: [...view.types],
      scope: view.owner === null ? 'tenant' : 'own',
      resumed,
      retryMs,
    }
    const id = ids.encode(principal.tenantId, position)
    stream.write(`retry: ${retryMs}\n${writeEvent('hello', hello, id)}`)
  }

  function leave(stream: EventStream): void {
    streams.delete(stream)
    feeds.leave(stream.principal.tenantId, stream)
  }

  return {
    ids,
    leave,
    async serve(stream, { at, begin }) {
      if (closing) throw serviceStopping()
      const feed = await feeds.join(stream.principal.tenantId, stream)
      // The reader may have left in the meantime.
      if (!stream.isOpen) return leave(stream)
      begin()
      streams.add(stream)
      access.resume()
      stream.position = at ?? feed.position
      sendHello(stream, at !== null)
      await endOnError(stream, async () => {
        await states.sendSnapshot(feed, stream)
        if (at !== null) await resume(feed, stream, at)
        await catchUp(parts, feed, stream)
      })
      if (closing) stream.end(shuttingDown)
    },
    async close() {
      if (closing) return
      closing = true
      for (const stream of streams) stream.stop(shuttingDown)
      await Promise.all([feeds.close(), states.close(), access.close(), pings.close()])
    },
  }
}

const shuttingDown: StreamEnd = {
  event: 'bye',
  reason: 'shutdown',
  message: 'This replica is shutting down: connect again with the last event id',
  reconnect: true,
}

const readFailed: StreamEnd = {
  event: 'error',
  reason: 'internal_error',
  message: 'Events cannot be read at the moment: connect again with the last event id',
  reconnect: true,
}
