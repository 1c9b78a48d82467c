import type { Db } from '../../../db/index.js'
import { readReceiptSpan, type SpanReceipt } from '../../../record/index.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import type { SinkRow } from '../store.js'
import type { ExportedRow, Source } from './batch.js'

// A batch ends with the page that reaches one of these.
const maxRows = 5_000
const maxBytes = 8 * 1024 * 1024
const pageRows = 500

/** Exports what follows from the record, in the order of its numbers. */
export function createRecordSource(
  { db, yieldToEventLoop }: { db: Db; yieldToEventLoop: YieldToEventLoop },
  present: (sink: SinkRow, receipts: readonly SpanReceipt[]) => Promise<ExportedRow[]>,
): Source {
  return {
    async read(sink, upTo) {
      const rows: ExportedRow[] = []
      const start = Number(sink.position ?? 0)
      let first: number | null = null
      let last = start
      let count = 0
      let bytes = 0
      let hasMore = true
      while (upTo !== null || (count < maxRows && bytes < maxBytes)) {
        const page = await readReceiptSpan(db, sink.tenant_id, {
          after: last,
          upTo: upTo === null ? null : Number(upTo),
          limit: pageRows,
        })
        rows.push(...(await present(sink, page)))
        for (const { canonical } of page) bytes += canonical.length
        count += page.length
        first ??= page[0]?.seq ?? null
        last = page.at(-1)?.seq ?? last
        await yieldToEventLoop()
        hasMore = page.length === pageRows
        if (!hasMore) break
      }
      if (first === null && upTo === null) return null
      const end = upTo ?? String(last)
      const name = { first: nameOfSeq(first ?? start + 1), last: nameOfSeq(Number(end)) }
      return { end, ...name, rows, hasMore: hasMore || upTo !== null }
    },
  }
}

/** Padded, so that names sort in the order of the record. */
export const nameOfSeq = (seq: number): string => String(seq).padStart(12, '0')
