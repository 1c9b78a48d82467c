import type { Db } from '../../db/index.js'
import { isOwnedBy } from '../../http/index.js'
import type { RecordedEntry } from '../../record/index.js'
import { type LoggedAlert, readViolations } from '../../resources/webhooks/index.js'
import { presentEntries } from '../calls/index.js'
import { writeJsonEvent } from './event-text.js'
import { alertStep, callStep, type Position } from './position.js'
import type { View } from './view.js'

/** An ordered event, before it is filtered by readers. */
export interface FeedEvent {
  type: 'call' | 'alert'
  /** The stream's position after it; components that are left out do not change. */
  moves: Partial<Position>
  json: string
  /** The owner of the event; null when only readers of the whole tenant may see it. */
  owner: { userId: string | null; keyId: string | null } | null
}

/** Returns the events of entries of one record, in order. */
export async function describeEntries(
  db: Db,
  tenantId: string,
  entries: readonly RecordedEntry[],
): Promise<FeedEvent[]> {
  const [calls, violations] = await Promise.all([
    presentEntries(db, tenantId, entries),
    readViolations(db, entries),
  ])
  return entries.flatMap(({ seq, draft }) => {
    const owner = { userId: draft.user ?? null, keyId: draft.key ?? null }
    const events: FeedEvent[] = []
    const call = calls.get(seq)
    if (call !== undefined)
      events.push({ type: 'call', moves: { step: callStep(seq) }, json: JSON.stringify(call), owner })
    const violation = violations.get(seq)
    if (violation !== undefined)
      events.push({ type: 'alert', moves: { step: alertStep(seq) }, json: JSON.stringify(violation), owner })
    return events
  })
}

export const describeAlert = ({
  id,
  key,
  event,
  createdAt,
  data,
  ownerUserId,
  ownerKeyId,
}: LoggedAlert): FeedEvent => ({
  type: 'alert',
  moves: { alert: id },
  // The data is already JSON, byte for byte as in a webhook.
  json: `${JSON.stringify({ id: key, event, created: createdAt.toISOString() }).slice(0, -1)},"data":${data}}`,
  owner: ownerUserId === null && ownerKeyId === null ? null : { userId: ownerUserId, keyId: ownerKeyId },
})

export const isVisibleIn = ({ types, owner }: View, event: Pick<FeedEvent, 'type' | 'owner'>): boolean =>
  types.has(event.type) && (owner === null || (event.owner !== null && isOwnedBy(owner, event.owner)))

/**
 * Returns the text of the events that a view shows, each with the id of the stream's position after it, starting at
 * `from`.
 */
export function writeEvents(
  view: View,
  events: readonly FeedEvent[],
  from: Position,
  encodeId: (position: Position) => string,
): string {
  let position = from
  let text = ''
  for (const event of events) {
    position = { ...position, ...event.moves }
    if (isVisibleIn(view, event)) text += writeJsonEvent(event.type, event.json, encodeId(position))
  }
  return text
}
