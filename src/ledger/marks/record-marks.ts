import { sql } from 'kysely'
import { type Db, startPeriodic } from '../../db/index.js'
import { ApiError } from '../../errors.js'
import type { RecordHead } from '../format/chain.js'
import type { LedgerLog } from '../log.js'
import { type Mark, type MarkStore, newestMarks } from './mark.js'

/** A record that ends before what was sealed, or in something else. */
export interface RecordFault {
  tenant: string
  /** What was sealed. */
  sealed: Mark
  /** What the database has. */
  keptSize: number
  message: string
}

/**
 * Remembers outside the database how far records were sealed. A database that was restored to an earlier moment would
 * give numbers a second time that were sealed before: nothing is signed for such a record until an operator accepts it.
 */
export interface RecordMarks {
  /** Throws 503 for a head that contradicts its mark. Call it with heads as the database has them. */
  check(heads: readonly RecordHead[]): void
  /** Call it after the commit. */
  remember(heads: readonly RecordHead[]): void
  /** Holds every mark against the database, as after a new connection: another server may answer there. */
  verify(): Promise<void>
  /** In words; null for a record that may be signed. */
  faultOf(tenantId: string): RecordFault | null
  faults(): RecordFault[]
  /** Called when a record may be signed again. */
  onAccepted(listener: (tenantId: string) => void): void
  close(): Promise<void>
}

export interface RecordMarksOptions {
  db: Db
  stores: readonly MarkStore[]
  log: Pick<LedgerLog, 'warn' | 'error'>
  now(): number
}

const flushEveryMs = 1_000
const recheckEveryMs = 5_000

interface Found {
  tenant: string
  size: number
  leaf_hash: Buffer | null
  accepted_at: Date | null
}

export async function openRecordMarks({ db, stores, log, now }: RecordMarksOptions): Promise<RecordMarks> {
  const marks = newestMarks((await Promise.all(stores.map(readStore))).flat())
  const faults = new Map<string, RecordFault>()
  const listeners: ((tenantId: string) => void)[] = []
  /** Marks that are not in the stores yet, by tenant. */
  let dirty = new Map<string, Mark>()
  /** Stores that could not be written: said once, until they can. */
  const failing = new Set<MarkStore>()

  async function readStore(store: MarkStore): Promise<Mark[]> {
    try {
      return await store.read()
    } catch (error) {
      log.warn(
        { err: error },
        `how far records were sealed cannot be read from ${store.name}: a restored database is not noticed by it`,
      )
      return []
    }
  }

  function refuse(mark: Mark, keptSize: number): RecordFault {
    const known = faults.get(mark.tenant)
    const fault = { tenant: mark.tenant, sealed: mark, keptSize, message: describe(mark, keptSize) }
    faults.set(mark.tenant, fault)
    if (!known) log.error({ tenant: mark.tenant }, fault.message)
    return fault
  }

  function accept(tenantId: string): void {
    if (!faults.delete(tenantId)) return
    log.warn({ tenant: tenantId }, 'the restored record was accepted: it is signed again')
    for (const listener of listeners) listener(tenantId)
  }

  function check(heads: readonly RecordHead[]): void {
    for (const { tenant, prev, range } of heads) {
      const known = faults.get(tenant)
      if (known) throw new RecordBehindError(known)
      const mark = marks.get(tenant)
      if (mark === undefined || range.size > mark.size) continue
      const isSame = range.size === mark.size && (mark.last === null || mark.last === prev.toString('hex'))
      if (!isSame) throw new RecordBehindError(refuse(mark, range.size))
    }
  }

  async function verify(): Promise<void> {
    const known = [...marks.values()]
    if (known.length === 0) return
    const { rows } = await sql<Found>`
      select h.tenant_id as tenant, h.size, r.leaf_hash,
        (select max(accepted_at) from record_restores a where a.tenant_id = h.tenant_id) as accepted_at
      from unnest(${known.map(({ tenant }) => tenant)}::text[], ${known.map(({ size }) => size)}::bigint[]) as m (tenant, size)
      join record_heads h on h.tenant_id = m.tenant
      left join receipts r on r.tenant_id = m.tenant and r.seq = m.size`.execute(db)
    const found = new Map(rows.map((row) => [row.tenant, row]))
    for (const mark of known) {
      const row = found.get(mark.tenant)
      // A newer one is by an entry that was sealed meanwhile.
      if (row === undefined || marks.get(mark.tenant) !== mark) continue
      if (row.accepted_at !== null && row.accepted_at.getTime() >= mark.atMs) {
        marks.delete(mark.tenant)
        accept(mark.tenant)
      } else if (isContradicted(mark, row)) refuse(mark, row.size)
      else accept(mark.tenant)
    }
  }

  async function flush(): Promise<void> {
    if (dirty.size === 0) return
    const batch = dirty
    dirty = new Map()
    for (const store of stores) {
      try {
        await store.write?.([...batch.values()])
        failing.delete(store)
      } catch (error) {
        if (!failing.has(store))
          log.warn(
            { err: error },
            `how far records were sealed cannot be written to ${store.name}; it is tried again`,
          )
        failing.add(store)
        for (const mark of batch.values()) if (!dirty.has(mark.tenant)) dirty.set(mark.tenant, mark)
      }
    }
  }

  const onError = (error: unknown) => log.warn({ err: error }, 'the marks of records cannot be checked')
  await verify()
  const flushing = startPeriodic({ run: flush, everyMs: flushEveryMs, onError })
  const rechecking = startPeriodic({
    run: async () => (faults.size > 0 ? await verify() : undefined),
    everyMs: recheckEveryMs,
    onError,
  })
  return {
    check,
    remember(heads) {
      for (const { tenant, prev, range } of heads) {
        const mark = { tenant, size: range.size, last: prev.toString('hex'), atMs: now() }
        marks.set(tenant, mark)
        dirty.set(tenant, mark)
      }
    },
    verify,
    faultOf: (tenantId) => faults.get(tenantId) ?? null,
    faults: () => [...faults.values()],
    onAccepted: (listener) => void listeners.push(listener),
    async close() {
      await rechecking.close()
      await flushing.close()
      await flush()
    },
  }
}

/** Without what was sealed before: for tools that fill a database of their own. */
export const noMarks: RecordMarks = {
  check: () => undefined,
  remember: () => undefined,
  verify: async () => undefined,
  faultOf: () => null,
  faults: () => [],
  onAccepted: () => undefined,
  close: async () => undefined,
}

/** Nothing may be signed for this record. What a call left of it is kept until an operator has decided. */
export class RecordBehindError extends ApiError {
  constructor(readonly fault: RecordFault) {
    super('unavailable', fault.message, {}, { fault: 'database' })
  }
}

function isContradicted({ size, last }: Mark, row: Found): boolean {
  if (row.size < size) return true
  // An entry that was dropped for its age, or a mark without a hash, can only be held against the size.
  return row.leaf_hash !== null && last !== null && row.leaf_hash.toString('hex') !== last
}

const describe = ({ tenant, size, atMs }: Mark, keptSize: number): string =>
  `The record of tenant ${tenant} was sealed up to entry ${size} by ${new Date(atMs).toISOString()}, and the database ${
    keptSize < size ? `ends at entry ${keptSize}` : 'has another entry there'
  }: it was restored to an earlier moment. Nothing is signed for it until an operator accepts that: tallystick record accept-restore`
