import { type Db, startPeriodic } from '../../db/index.js'
import { type RecordedEntry, readEntriesAfter, readLastSeq } from '../../record/index.js'
import { type LoggedAlert, readAlertsAfter, readLastAlert } from '../../resources/webhooks/index.js'
import type { EventStream } from './event-stream.js'
import { describeAlert, describeEntries, type FeedEvent, writeEvents } from './feed-event.js'
import { alertStep, type EventIds, lastCompleteSeq, type Position } from './position.js'
import { SentBudgetStates } from './states/budget-states.js'
import { ProviderHealth } from './states/provider-health.js'

/** The shared read of one tenant's events while it has open streams in this process. */
export interface Feed {
  readonly tenantId: string
  /** The position up to which the `live` streams have received everything. */
  position: Position
  /** The streams that have caught up. */
  readonly live: Set<EventStream>
  /** All of its streams. */
  readonly streams: Set<EventStream>
  readonly health: ProviderHealth
  sentBudgets: SentBudgetStates
}

/** The feeds of this process. One query reads for all of them; without streams, there is none. */
export interface Feeds {
  readonly all: ReadonlyMap<string, Feed>
  /** Adds a stream to the feed of its tenant. The first stream starts the feed at the current position. */
  join(tenantId: string, stream: EventStream): Promise<Feed>
  leave(tenantId: string, stream: EventStream): void
  close(): Promise<void>
}

const pollEveryMs = 250
const pollWhileUnavailableMs = 1_000
/** The most events of one tenant that are read at once. */
export const pageSize = 200
// Roughly a minute of calls, for the initial health of providers.
const recentEntries = 500

export function createFeeds(options: {
  db: Db
  ids: EventIds
  onError(error: unknown): void
  onEmpty(tenantId: string): void
  /**
   * Called for a stream that does not keep up: it is no longer live, and continues from its position at its own
   * pace.
   */
  onBehind(feed: Feed, stream: EventStream): void
}): Feeds {
  const { db, ids, onError, onEmpty, onBehind } = options
  // Bounded: tenants with open streams.
  const all = new Map<string, Feed>()
  // Bounded: feeds that are being opened.
  const opening = new Map<string, Promise<Feed>>()
  let isUnavailable = false

  async function open(tenantId: string): Promise<Feed> {
    const [seq, alert] = await Promise.all([readLastSeq(db, tenantId), readLastAlert(db, tenantId)])
    const health = new ProviderHealth()
    const recent = await readEntriesAfter(
      db,
      [{ tenantId, seq: Math.max(0, seq - recentEntries) }],
      recentEntries,
    )
    for (const entry of recent) if (entry.seq <= seq) health.note(entry, Date.now())
    health.changes(Date.now())
    return {
      tenantId,
      position: { step: alertStep(seq), alert },
      live: new Set(),
      streams: new Set(),
      health,
      sentBudgets: new SentBudgetStates(),
    }
  }

  /** Concurrent requests share one feed that is being opened. */
  async function openOnce(tenantId: string): Promise<Feed> {
    const known = opening.get(tenantId) ?? open(tenantId).finally(() => opening.delete(tenantId))
    opening.set(tenantId, known)
    return await known
  }

  async function poll(): Promise<void> {
    try {
      while (await readNewEvents()) {
        // Repeats as long as some tenant has more than a page.
      }
      isUnavailable = false
    } catch (error) {
      // Nothing is lost, because positions are kept. The error is logged once, not four times a second.
      if (!isUnavailable) onError(error)
      isUnavailable = true
    }
  }

  /** Returns true when there may be more. */
  async function readNewEvents(): Promise<boolean> {
    const feeds = [...all.values()]
    const entries = byTenant(
      await readEntriesAfter(
        db,
        feeds.map(({ tenantId, position }) => ({ tenantId, seq: lastCompleteSeq(position.step) })),
        pageSize,
      ),
    )
    for (const [tenantId, page] of entries) await sendEntries(tenantId, page)
    const alerts = byTenant(
      await readAlertsAfter(
        db,
        feeds.map(({ tenantId, position }) => ({ tenantId, id: position.alert })),
        pageSize,
      ),
    )
    for (const [tenantId, page] of alerts) sendAlerts(tenantId, page)
    return [...entries.values(), ...alerts.values()].some(({ length }) => length === pageSize)
  }

  async function sendEntries(tenantId: string, entries: readonly RecordedEntry[]): Promise<void> {
    const events = await describeEntries(db, tenantId, entries)
    const feed = all.get(tenantId)
    const last = entries.at(-1)
    if (feed === undefined || last === undefined) return
    for (const entry of entries) feed.health.note(entry, Date.now())
    send(feed, events, { ...feed.position, step: alertStep(last.seq) })
  }

  function sendAlerts(tenantId: string, alerts: readonly LoggedAlert[]): void {
    const feed = all.get(tenantId)
    const last = alerts.at(-1)
    if (feed === undefined || last === undefined) return
    send(feed, alerts.map(describeAlert), { ...feed.position, alert: last.id })
  }

  /**
   * Runs without a pause between the first stream and the last, so that a stream that catches up in the meantime is
   * either included or not.
   */
  function send(feed: Feed, events: readonly FeedEvent[], position: Position): void {
    const encodeId = memoizeIds(ids, feed.tenantId)
    const pieces = new Map<string, Buffer>()
    const behind: EventStream[] = []
    for (const stream of feed.live) {
      if (isAhead(stream.position, feed.position)) {
        sendToAhead(stream, events, position, encodeId)
        continue
      }
      const { view } = stream
      const piece = pieces.get(view.name) ?? Buffer.from(writeEvents(view, events, feed.position, encodeId))
      pieces.set(view.name, piece)
      if (stream.accepts(piece)) {
        if (piece.length > 0) stream.write(piece)
        stream.position = position
      } else {
        feed.live.delete(stream)
        behind.push(stream)
      }
    }
    feed.position = position
    for (const stream of behind) onBehind(feed, stream)
  }

  const { resume, close } = startPeriodic({
    run: poll,
    isIdle: () => all.size === 0,
    everyMs: () => (isUnavailable ? pollWhileUnavailableMs : pollEveryMs),
    onError,
  })

  return {
    all,
    async join(tenantId, stream) {
      const opened = all.get(tenantId) ?? (await openOnce(tenantId))
      const feed = all.get(tenantId) ?? opened
      all.set(tenantId, feed)
      feed.streams.add(stream)
      resume()
      return feed
    },
    leave(tenantId, stream) {
      const feed = all.get(tenantId)
      feed?.live.delete(stream)
      feed?.streams.delete(stream)
      if (feed?.streams.size !== 0) return
      all.delete(tenantId)
      onEmpty(tenantId)
    },
    close,
  }
}

/** The position came from another replica, which had read further. */
const isAhead = (a: Position, b: Position) => a.step > b.step || a.alert > b.alert

function sendToAhead(
  stream: EventStream,
  events: readonly FeedEvent[],
  { step, alert }: Position,
  encodeId: (position: Position) => string,
): void {
  const from = stream.position
  const unseen = events.filter(
    ({ moves }) => (moves.step ?? Infinity) > from.step && (moves.alert ?? Infinity) > from.alert,
  )
  const text = writeEvents(stream.view, unseen, from, encodeId)
  if (text !== '') stream.write(text)
  stream.position = { step: Math.max(from.step, step), alert: Math.max(from.alert, alert) }
}

/** Streams with different views share ids, and a signature takes a few microseconds. */
export function memoizeIds(ids: EventIds, tenantId: string): (position: Position) => string {
  const known = new Map<string, string>()
  return (position) => {
    const name = `${position.step} ${position.alert}`
    const id = known.get(name) ?? ids.encode(tenantId, position)
    known.set(name, id)
    return id
  }
}

function byTenant<Row extends { tenantId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const grouped = new Map<string, Row[]>()
  for (const row of rows) {
    const page = grouped.get(row.tenantId)
    if (page === undefined) grouped.set(row.tenantId, [row])
    else page.push(row)
  }
  return grouped
}
