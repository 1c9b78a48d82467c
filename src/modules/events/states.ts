import { type Db, startPeriodic } from '../../db/index.js'
import type { ReadReserved } from '../budgets/index.js'
import { recordAlerts } from '../webhooks/index.js'
import type { EventStream } from './event-stream.js'
import { writeEvent } from './event-text.js'
import type { Feed, Feeds } from './feeds.js'
import { readStandings } from './standings.js'
import type { EventType } from './view.js'
import type { VisibleBudgets } from './visible-budgets.js'

/** What has a state and no order: standings of budgets, health of providers. Also looks for the alerts that follow from them. */
export interface States {
  /** The picture that a stream starts with. */
  sendSnapshot(feed: Feed, stream: EventStream): Promise<void>
  close(): Promise<void>
}

const everyMs = 2_000

export function startStates(options: {
  db: Db
  feeds: Feeds
  visibleBudgets: VisibleBudgets
  readReserved: ReadReserved
  now(): Date
  onError(error: unknown): void
}): States {
  const { db, feeds, visibleBudgets, readReserved, now, onError } = options
  let isAway = false

  const wants = (feed: Feed, type: EventType) => [...feed.streams].some(({ view }) => view.types.has(type))

  async function run(): Promise<void> {
    if (feeds.all.size === 0) return
    try {
      const alerted = [...feeds.all.values()].filter((feed) => wants(feed, 'alert'))
      if (alerted.length > 0)
        await recordAlerts(
          db,
          now(),
          alerted.map(({ tenantId }) => tenantId),
        )
      for (const feed of feeds.all.values()) {
        if (wants(feed, 'budget')) await sendStandings(feed)
        sendHealth(feed)
      }
      isAway = false
    } catch (error) {
      if (!isAway) onError(error)
      isAway = true
    }
  }

  async function sendStandings(feed: Feed): Promise<void> {
    feed.standings = await readStandings(db, feed.tenantId, readReserved)
    const changed = feed.told.changes(feed.standings)
    if (changed.length === 0) return
    for (const stream of feed.streams) {
      if (!stream.hasSnapshot || !stream.view.types.has('budget')) continue
      const isVisible = await visibleBudgets.isVisible(feed.tenantId, stream.view.owner)
      writeAll(stream, 'budget', changed.filter(isVisible))
    }
  }

  function sendHealth(feed: Feed): void {
    const changed = feed.health.changes(Date.now())
    if (changed.length === 0) return
    for (const stream of feed.streams)
      if (stream.hasSnapshot && stream.view.types.has('provider')) writeAll(stream, 'provider', changed)
  }

  const { close } = startPeriodic({ run, everyMs, onError })
  return {
    async sendSnapshot(feed, stream) {
      const { types, owner } = stream.view
      if (types.has('budget')) {
        const standings = await readStandings(db, feed.tenantId, readReserved)
        const isVisible = await visibleBudgets.isVisible(feed.tenantId, owner)
        // What is told later is what differs from this, for this stream as for those before it.
        if (feed.streams.size === 1) feed.told.changes(standings)
        writeAll(stream, 'budget', standings.filter(isVisible))
      }
      if (types.has('provider')) writeAll(stream, 'provider', feed.health.read(Date.now()))
      stream.hasSnapshot = true
    },
    close,
  }
}

function writeAll(stream: EventStream, type: 'budget' | 'provider', states: readonly object[]): void {
  if (states.length > 0) stream.write(states.map((state) => writeEvent(type, state)).join(''))
}
