import type { Db } from '../../db/index.js'
import { isOwnedBy } from '../../http/index.js'
import type { RecordedEntry } from '../../ledger/index.js'
import { presentEntries } from '../calls/index.js'
import { type LoggedAlert, readViolations } from '../webhooks/index.js'
import { writeJsonEvent } from './event-text.js'
import { alertStep, callStep, type Position } from './position.js'
import type { View } from './view.js'

/** An event that has a place in an order, before it is known who is sent it. */
export interface FeedEvent {
  type: 'call' | 'alert'
  /** Where a stream is after it; what is left out stays as it was. */
  moves: Partial<Position>
  json: string
  /** Whose it is; null for what only those see who see everything. */
  owner: { userId: string | null; keyId: string | null } | null
}

/** The events of entries of one record, in their order. */
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
  // The data is JSON already, to the byte as a webhook has it.
  json: `${JSON.stringify({ id: key, event, created: createdAt.toISOString() }).slice(0, -1)},"data":${data}}`,
  owner: ownerUserId === null && ownerKeyId === null ? null : { userId: ownerUserId, keyId: ownerKeyId },
})

export const isSeenIn = ({ types, owner }: View, event: Pick<FeedEvent, 'type' | 'owner'>): boolean =>
  types.has(event.type) && (owner === null || (event.owner !== null && isOwnedBy(owner, event.owner)))

/** The text of those events that a view shows, each with the id of where it leaves a stream that was at `from`. */
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
    if (isSeenIn(view, event)) text += writeJsonEvent(event.type, event.json, encodeId(position))
  }
  return text
}
