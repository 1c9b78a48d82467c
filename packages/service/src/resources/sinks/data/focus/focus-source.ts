import type { Price } from '@tallystick/record/pricing'
import type { Db } from '../../../../db/index.js'
import { type Entry, findPrice, findReceipt, readReceiptSpan } from '../../../../record/index.js'
import type { YieldToEventLoop } from '../../../../shared/slice-queue.js'
import { namesAt, type WantedName } from '../../../names/index.js'
import { findTenantName } from '../../../tenants/index.js'
import type { SinkRow } from '../../store.js'
import type { Batch, ExportedRow, Source } from '../batch.js'
import { nameOfSeq } from '../record-source.js'
import { type Charge, ChargeSums, chargeOfCorrection, chargesOf } from './charges.js'
import { toFocusRow } from './row.js'

// A batch ends with the page that reaches one of these.
const maxRows = 5_000
const maxReceipts = 100_000
const pageRows = 500

const hourMs = 3_600_000
/** An hour is exported when it has been over for this long, so that most of its calls have ended. */
const graceMs = 600_000
/** For so long, an entry that was just recorded can wait although nothing is late. */
export const focusWaitSeconds = (hourMs + graceMs) / 1_000

interface Parts {
  db: Db
  yieldToEventLoop: YieldToEventLoop
  now?: () => number
}

/**
 * Exports costs and usage in the columns of FOCUS 1.2, a row for each hour, key, model and meter. A batch consists of
 * entries of hours that are over. A call that ends later than that is in a later batch, in a row of its own for its
 * hour, and so is a correction: rows that were delivered never change, and all of them add up.
 */
export const createFocusSource = ({ db, yieldToEventLoop, now = Date.now }: Parts): Source => ({
  async read(sink, upTo) {
    const openHour = Math.floor((now() - graceMs) / hourMs) * hourMs
    const sums = new ChargeSums()
    const findTerms = createPriceReader(db, sink.tenant_id)
    const start = Number(sink.position ?? 0)
    let last = start
    let hasMore = true
    while (upTo !== null || (sums.size < maxRows && last - start < maxReceipts)) {
      const page = await readReceiptSpan(db, sink.tenant_id, {
        after: last,
        upTo: upTo === null ? null : Number(upTo),
        limit: pageRows,
      })
      const end = upTo === null ? page.findLastIndex(({ ts }) => ts.getTime() < openHour) + 1 : page.length
      for (const { ts, canonical } of page.slice(0, end)) {
        const entry: Entry = JSON.parse(canonical)
        for (const charge of await readCharges(db, sink.tenant_id, entry, findTerms)) sums.add(charge, ts)
      }
      last = page[end - 1]?.seq ?? last
      await yieldToEventLoop()
      hasMore = end === pageRows
      if (!hasMore) break
    }
    if (last === start && upTo === null) return null
    const span = { first: nameOfSeq(start + 1), last: nameOfSeq(upTo === null ? last : Number(upTo)) }
    const rows = await presentRows(db, sink, sums, span)
    return { end: upTo ?? String(last), ...span, rows, hasMore: hasMore || upTo !== null } satisfies Batch
  },
})

async function readCharges(
  db: Db,
  tenantId: string,
  entry: Entry,
  findTerms: (hash: string) => Promise<Price | null>,
): Promise<Charge[]> {
  if (entry.event === 'receipt.adjust' && entry.adjusts !== undefined) {
    const corrected = await findReceipt(db, tenantId, entry.adjusts)
    return [chargeOfCorrection(entry, corrected ? JSON.parse(corrected.canonical) : entry)]
  }
  if (entry.kind === 'control') return []
  return chargesOf(entry, entry.price === undefined ? null : await findTerms(entry.price))
}

/** Reads each price once. */
function createPriceReader(db: Db, tenantId: string): (hash: string) => Promise<Price | null> {
  // Bounded: the receipts of a batch.
  const prices = new Map<string, Price | null>()
  return async (hash) => {
    const known = prices.get(hash)
    if (known !== undefined) return known
    const price = await findPrice(db, tenantId, hash)
    prices.set(hash, price)
    return price
  }
}

async function presentRows(
  db: Db,
  { tenant_id: tenantId }: SinkRow,
  sums: ChargeSums,
  span: { first: string; last: string },
): Promise<ExportedRow[]> {
  const charges = sums.values()
  const wanted = charges.flatMap(({ labels: { keyId, teamId }, at }): WantedName[] => [
    ...(keyId === null ? [] : [{ type: 'key' as const, id: keyId, at }]),
    ...(teamId === null ? [] : [{ type: 'team' as const, id: teamId, at }]),
  ])
  const find = await namesAt(db, tenantId, wanted)
  const tenantName = await findTenantName(db, tenantId)
  return charges.map((charge, index) => {
    const { labels, at } = charge
    const names = {
      tenantId,
      tenantName: tenantName ?? tenantId,
      keyName: labels.keyId === null ? null : find({ type: 'key', id: labels.keyId, at }),
      teamName: labels.teamId === null ? null : find({ type: 'team', id: labels.teamId, at }),
    }
    const row = toFocusRow(charge, names, span)
    return { at: new Date(labels.hour), id: `${span.first}-${span.last}-${index}`, json: JSON.stringify(row) }
  })
}
