import type { Db } from '../../db/index.js'
import { readEntriesAfter, readLastSeq } from '../../ledger/index.js'
import { readAlertsAfter } from '../webhooks/index.js'
import type { EventStream } from './event-stream.js'
import { writeEvent } from './event-text.js'
import { describeAlert, describeEntries, type FeedEvent, writeEvents } from './feed-event.js'
import { type Feed, pageSize } from './feeds.js'
import { alertStep, type EventIds, lastWholeSeq, type Position } from './position.js'
import type { GapEvent } from './schema.js'

/** How far back a stream goes on: further back it is told of the gap, and where to read. */
export const maxReplayedEntries = 2_000
const drainWithinMs = 10_000

export interface CatchUpParts {
  db: Db
  ids: EventIds
  /** Runs a few at a time: a thousand readers that come back at once would have the process read for them alone. */
  inTurn<T>(read: () => Promise<T>): Promise<T>
}

/**
 * Sends what happened between where a stream is and where its feed is, page by page, as fast as the reader takes it; then it is live.
 * The feed moves on meanwhile. The last comparison and the change to live are one step, so that nothing is between them.
 */
export async function catchUp(
  { db, ids, inTurn }: CatchUpParts,
  feed: Feed,
  stream: EventStream,
): Promise<void> {
  const encodeId = (position: Position) => ids.encode(feed.tenantId, position)

  function send(events: readonly FeedEvent[], position: Position): void {
    const text = writeEvents(stream.view, events, stream.position, encodeId)
    if (text !== '') stream.write(text)
    stream.position = position
  }

  if (stream.position.step > feed.position.step) await requireThatFar()
  while (stream.isOpen) {
    const { step, alert } = stream.position
    if (step < feed.position.step) {
      if (lastWholeSeq(feed.position.step) - lastWholeSeq(step) > maxReplayedEntries) {
        await skip(step)
        continue
      }
      const upTo = lastWholeSeq(feed.position.step)
      const events = await inTurn(async () => {
        const after = { tenantId: feed.tenantId, seq: lastWholeSeq(step) }
        const entries = (await readEntriesAfter(db, [after], pageSize)).filter(({ seq }) => seq <= upTo)
        return { list: await describeEntries(db, feed.tenantId, entries), last: entries.at(-1)?.seq ?? upTo }
      })
      // Of an entry that was sent in part, the rest.
      const rest = events.list.filter(({ moves }) => (moves.step ?? 0) > step)
      send(rest, { ...stream.position, step: alertStep(events.last) })
    } else if (alert < feed.position.alert) {
      const upTo = feed.position.alert
      const alerts = await inTurn(() =>
        readAlertsAfter(db, [{ tenantId: feed.tenantId, id: alert }], pageSize),
      )
      const found = alerts.filter(({ id }) => id <= upTo)
      send(found.map(describeAlert), { ...stream.position, alert: found.at(-1)?.id ?? upTo })
    } else {
      feed.live.add(stream)
      return
    }
    await stream.drained(drainWithinMs)
  }

  /** Another replica may have read further than this one; but a database that was restored may not go as far. */
  async function requireThatFar(): Promise<void> {
    const last = await readLastSeq(db, feed.tenantId)
    const { step } = stream.position
    if (lastWholeSeq(step) <= last) return
    stream.position = feed.position
    const gap: GapEvent = {
      message: `The record ends with entry ${last}, before the last event id: this goes on from there`,
      fromSeq: last + 1,
      toSeq: lastWholeSeq(step),
      from: null,
      to: null,
      read: '/v1/calls',
    }
    stream.write(writeEvent('gap', gap, encodeId(stream.position)))
  }

  /** To where the replay may begin, with a word on what is left out. */
  async function skip(step: number): Promise<void> {
    const fromSeq = lastWholeSeq(step) + 1
    const toSeq = lastWholeSeq(feed.position.step) - maxReplayedEntries
    const bounds = await inTurn(() =>
      Promise.all(
        [fromSeq, toSeq].map((seq) => readEntriesAfter(db, [{ tenantId: feed.tenantId, seq: seq - 1 }], 1)),
      ),
    )
    const [from = null, to = null] = bounds.map(([entry]) => entry?.draft.ts ?? null)
    stream.position = { ...stream.position, step: alertStep(toSeq) }
    stream.write(writeEvent('gap', describeGap(fromSeq, toSeq, from, to), encodeId(stream.position)))
  }
}

/** Calls are listed by when they were admitted, which is not the order of the record: those that ran long stand before the span. */
const describeGap = (fromSeq: number, toSeq: number, from: string | null, to: string | null): GapEvent => ({
  message: `Entries ${fromSeq} to ${toSeq} of the record are too many to send again: list their calls`,
  fromSeq,
  toSeq,
  from,
  to,
  read: `/v1/calls?${new URLSearchParams({ ...(from !== null && { from }), ...(to !== null && { to }) })}`,
})
