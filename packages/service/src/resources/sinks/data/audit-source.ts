import type { Db } from '../../../db/index.js'
import { readAuditSpan } from '../../audit/index.js'
import type { Source } from './batch.js'
import { auditToOcsf } from './ocsf.js'

const maxRows = 1_000

/** Exports the audit log in the order of time and id. */
export const createAuditSource = ({ db }: { db: Db }): Source => ({
  async read(sink, upTo) {
    const span = { after: sink.position, upTo, limit: maxRows }
    const entries = await readAuditSpan(db, sink.tenant_id, span)
    const [first, last] = [entries[0], entries.at(-1)]
    if (!first || !last)
      return upTo === null ? null : { end: upTo, first: '', last: '', rows: [], hasMore: true }
    return {
      end: upTo ?? last.position,
      first: first.entry.id,
      last: last.entry.id,
      rows: entries.map(({ at, entry }) => ({
        at,
        id: entry.id,
        json: JSON.stringify(auditToOcsf(entry, sink.tenant_id)),
      })),
      hasMore: upTo !== null || entries.length === maxRows,
    }
  },
})
