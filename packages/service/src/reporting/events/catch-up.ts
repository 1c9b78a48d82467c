import type { Db } from '../../db/index.js'
import { readEntriesAfter } from '../../record/index.js'
import { readAlertsAfter } from '../../resources/webhooks/index.js'
import { type EventStream, tooSlow } from './event-stream.js'
import { describeAlert, describeEntries, type FeedEvent, writeEvents } from './feed-event.js'
import { type Feed, pageSize } from './feeds.js'
import { alertStep, type EventIds, lastCompleteSeq, type Position } from './position.js'
import { maxReplayedEntries } from './resume.js'

// About the size of a socket's buffers: the next piece is written when the reader has read this one.
const pieceChars = 64 * 1024

export interface CatchUpParts {
  db: Db
  ids: EventIds
  /** Limits concurrent reads: a thousand readers that reconnect at once would otherwise occupy the whole process. */
  limitReads<T>(read: () => Promise<T>): Promise<T>
  /** A reader that reads nothing for this long has stalled. */
  stallMs: number
}

/**
 * Sends the events between the positions of a stream and its feed, as fast as the reader takes them; then the
 * stream is live. The feed advances in the meantime. The last comparison and the change to live are one step, so that no
 * event is lost between them.
 */
export async function catchUp(
  { db, ids, limitReads, stallMs }: CatchUpParts,
  feed: Feed,
  stream: EventStream,
): Promise<void> {
  const { tenantId } = feed
  const encodeId = (position: Position) => ids.encode(tenantId, position)

  /** Sends in pieces, each of which waits for its reader. */
  async function send(events: readonly FeedEvent[], end: Partial<Position>): Promise<void> {
    let text = ''
    for (const event of events) {
      text += writeEvents(stream.view, [event], stream.position, encodeId)
      stream.position = { ...stream.position, ...event.moves }
      if (text.length < pieceChars) continue
      stream.write(text)
      text = ''
      await stream.drained(stallMs)
      if (!stream.isOpen) return
    }
    if (text !== '') stream.write(text)
    stream.position = { ...stream.position, ...end }
    await stream.drained(stallMs)
  }

  async function sendEntries(upTo: number): Promise<void> {
    const { step } = stream.position
    const { events, last } = await limitReads(async () => {
      const page = await readEntriesAfter(db, [{ tenantId, seq: lastCompleteSeq(step) }], pageSize)
      const entries = page.filter(({ seq }) => seq <= upTo)
      return { events: await describeEntries(db, tenantId, entries), last: entries.at(-1)?.seq ?? upTo }
    })
    // The rest of an entry that was sent in part.
    const unsent = events.filter(({ moves }) => (moves.step ?? 0) > step)
    await send(unsent, { step: alertStep(last) })
  }

  async function sendAlerts(upTo: number): Promise<void> {
    const after = { tenantId, id: stream.position.alert }
    const page = await limitReads(() => readAlertsAfter(db, [after], pageSize))
    const alerts = page.filter(({ id }) => id <= upTo)
    await send(alerts.map(describeAlert), { alert: alerts.at(-1)?.id ?? upTo })
  }

  await stream.drained(stallMs)
  while (stream.isOpen) {
    const { step, alert } = feed.position
    if (lastCompleteSeq(step) - lastCompleteSeq(stream.position.step) > 2 * maxReplayedEntries)
      stream.end(tooSlow)
    else if (stream.position.step < step) await sendEntries(lastCompleteSeq(step))
    else if (stream.position.alert < alert) await sendAlerts(alert)
    else {
      feed.live.add(stream)
      return
    }
  }
}
