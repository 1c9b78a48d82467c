import type { Db } from '../../db/index.js'
import { readEntriesAfter, readLastSeq } from '../../record/index.js'
import { alertStep, lastCompleteSeq, type Position } from './position.js'
import type { GapEvent } from './schema.js'

/** How far back a stream can resume. Older events are skipped and reported as a gap. */
export const maxReplayedEntries = 2_000

/** Returns where a stream resumes while its feed is at another position, and the gap between them, if any. */
export async function resumeAt(
  db: Db,
  tenantId: string,
  at: Position,
  feed: Position,
): Promise<{ position: Position; gap: GapEvent | null }> {
  const seen = lastCompleteSeq(at.step)
  if (at.step > feed.step) {
    // Another replica may have read further than this one, whereas a restored database may end earlier.
    const last = await readLastSeq(db, tenantId)
    return seen <= last ? { position: at, gap: null } : { position: feed, gap: beyondTheEnd(seen, last) }
  }
  const toSeq = lastCompleteSeq(feed.step) - maxReplayedEntries
  if (seen >= toSeq) return { position: at, gap: null }
  const gap = await tooFarBack(db, tenantId, seen + 1, toSeq)
  return { position: { ...at, step: alertStep(toSeq) }, gap }
}

const beyondTheEnd = (seen: number, last: number): GapEvent => ({
  message: `The record ends with entry ${last}, before the last event id: the stream continues from there`,
  fromSeq: last + 1,
  toSeq: seen,
  from: null,
  to: null,
  read: '/v1/calls',
})

/** Calls are listed by their time of admission, which is not quite the order of the record. */
async function tooFarBack(db: Db, tenantId: string, fromSeq: number, toSeq: number): Promise<GapEvent> {
  const bounds = await Promise.all(
    [fromSeq, toSeq].map((seq) => readEntriesAfter(db, [{ tenantId, seq: seq - 1 }], 1)),
  )
  const [first, last] = bounds.map(([entry]) => (entry === undefined ? null : Date.parse(entry.draft.ts)))
  const from = toText(first)
  // The end of a span is exclusive.
  const to = toText(last === null || last === undefined ? null : last + 1)
  return {
    message: `Entries ${fromSeq} to ${toSeq} of the record are too many to resend: list their calls`,
    fromSeq,
    toSeq,
    from,
    to,
    read: `/v1/calls?${new URLSearchParams({ ...(from !== null && { from }), ...(to !== null && { to }) })}`,
  }
}

const toText = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : new Date(ms).toISOString()
