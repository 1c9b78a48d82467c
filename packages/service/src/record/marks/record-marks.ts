import type { RecordHead } from '@tallystick/record/format'
import { type Db, startPeriodic } from '../../db/index.js'
import { ApiError } from '../../shared/errors.js'
import type { LedgerLog } from '../log.js'
import { type Comparison, compareMarks } from './compare-marks.js'
import { reportMarks } from './contradicted-marks.js'
import { byTenant, type Mark, type MarkStore } from './mark.js'

/** A record that ends before what was sealed, or continues from another entry. */
export interface RecordFault extends Pick<Comparison, 'size' | 'keptSize' | 'corrects'> {
  tenant: string
  /** The largest sealed size of all marks. */
  sealed: Pick<Mark, 'size' | 'last' | 'root'>
  /** When the newest of the contradicted marks was made, in milliseconds since 1970. */
  atMs: number
  message: string
}

/**
 * Stores outside the database how far records were sealed. A database that was restored from a backup would assign sealed numbers a second
 * time, so such a record is not signed until an operator accepts the restore.
 */
export interface RecordMarks {
  /** Throws 503 for a head that contradicts its mark. The heads must be those of the database. */
  check(heads: readonly RecordHead[]): void
  /** Stores the marks of committed heads. */
  remember(heads: readonly RecordHead[]): void
  /** Compares every mark with the database. Must be called after each new connection, which may lead to another server. */
  verify(): Promise<void>
  /** Returns why a record must not be signed. Null when it may be signed. */
  faultOf(tenantId: string): RecordFault | null
  faults(): RecordFault[]
  /** The stores whose marks were read, and those that could not be read. */
  sources(): string[]
  /** Called when a record may be signed again. */
  onAccepted(listener: (tenantId: string) => void): void
  close(): Promise<void>
}

export interface RecordMarksOptions {
  db: Db
  stores: readonly MarkStore[]
  /** The name under which this replica reports marks that the database contradicts. */
  dataDir: string
  log: Pick<LedgerLog, 'warn' | 'error'>
  now(): number
  /** Called once for each record that must not be signed. */
  onRefused?(fault: RecordFault): void
}

const flushEveryMs = 1_000
const recheckEveryMs = 5_000

export async function openRecordMarks(options: RecordMarksOptions): Promise<RecordMarks> {
  const { db, stores, dataDir, log, now } = options
  // Bounded: one label for each store of marks.
  const sources: string[] = []
  /** All stored marks of each tenant. Once this process has sealed a record, only its own mark. */
  const marks = byTenant((await Promise.all(stores.map(readStore))).flat(), ({ tenant }) => tenant)
  /** When the last restore of each record was accepted. */
  // Bounded: one number for each tenant.
  const acceptedMs = new Map<string, number>()
  // Bounded: one for each tenant whose record is behind its mark.
  const faults = new Map<string, RecordFault>()
  // Bounded: a few listeners, registered at the start.
  const listeners: ((tenantId: string) => void)[] = []
  /** Marks that are not in the stores yet, by tenant. */
  // Bounded: one mark for each tenant that was sealed since the last write.
  let dirty = new Map<string, Mark>()
  /** The stores that cannot be written, so that each failure is logged once. */
  // Bounded: the configured stores of marks.
  const failing = new Set<MarkStore>()

  async function readStore(store: MarkStore): Promise<Mark[]> {
    try {
      const read = await store.read()
      sources.push(store.label)
      return read
    } catch (error) {
      sources.push(`${store.label} (could not be read)`)
      log.warn(
        { err: error },
        `how far records were sealed cannot be read from ${store.name}: a restored database is not noticed by it`,
      )
      return []
    }
  }

  function refuse(
    tenant: string,
    contradicted: readonly Pick<Comparison, 'mark' | 'size' | 'keptSize' | 'corrects'>[],
  ): RecordFault {
    const [most, ...others] = contradicted.toSorted((a, b) => b.mark.size - a.mark.size)
    if (most === undefined) throw new Error('No mark is contradicted')
    const { size, keptSize, corrects, mark } = most
    const atMs = Math.max(mark.atMs, ...others.map((other) => other.mark.atMs))
    const fault = { tenant, sealed: mark, size, keptSize, corrects, atMs, message: describe(mark, size) }
    const isNew = !faults.has(tenant)
    faults.set(tenant, fault)
    if (isNew) {
      log.error({ tenant }, fault.message)
      options.onRefused?.(fault)
    }
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
      if (known) throw new RecordRestoredError(known)
      for (const mark of marks.get(tenant) ?? []) {
        if (range.size > mark.size) continue
        const isSame = range.size === mark.size && (mark.last === null || mark.last === prev.toString('hex'))
        if (isSame) continue
        const keptSize = range.size < mark.size ? range.size : null
        throw new RecordRestoredError(refuse(tenant, [{ mark, size: range.size, keptSize, corrects: null }]))
      }
    }
  }

  async function verify(): Promise<void> {
    const comparisons = await compareMarks(db, [...marks.values()].flat())
    const contradicted = new Map<string, Comparison[]>()
    for (const [tenant, compared] of byTenant(comparisons, ({ mark }) => mark.tenant)) {
      acceptedMs.set(tenant, compared[0]?.acceptedMs ?? 0)
      // Marks that were replaced during the comparison are those of newer entries, which it does not include.
      const current = compared.filter(({ mark }) => marks.get(tenant)?.includes(mark))
      if (current.length === 0) continue
      const open = current.filter(({ state }) => state === 'contradicted')
      marks.set(
        tenant,
        current.filter(({ state }) => state !== 'accepted').map(({ mark }) => mark),
      )
      if (open.length > 0) {
        refuse(tenant, open)
        contradicted.set(tenant, open)
      } else accept(tenant)
    }
    await report([...contradicted.values()].flat().map(({ mark }) => mark))
  }

  async function report(contradicted: readonly Mark[]): Promise<void> {
    try {
      await reportMarks(db, dataDir, contradicted)
    } catch (error) {
      log.warn(
        { err: error },
        'what this replica remembers of a restored record cannot be reported to the database',
      )
    }
  }

  async function flush(): Promise<void> {
    if (dirty.size === 0) return
    const batch = dirty
    // Bounded: one mark for each tenant that was sealed since the last write.
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
  const flushing = startPeriodic({
    run: flush,
    everyMs: flushEveryMs,
    isIdle: () => dirty.size === 0,
    onError,
  })
  const rechecking = startPeriodic({
    run: async () => (faults.size > 0 ? await verify() : undefined),
    everyMs: recheckEveryMs,
    onError,
  })
  return {
    check,
    remember(heads) {
      for (const { tenant, prev, range } of heads) {
        const mark: Mark = {
          ...{ tenant, size: range.size, last: prev.toString('hex'), atMs: now() },
          acceptedMs: acceptedMs.get(tenant) ?? 0,
          // The root is computed when the mark is written, once a second, instead of for each commit.
          get root() {
            return range.root().toString('hex')
          },
        }
        marks.set(tenant, [mark])
        dirty.set(tenant, mark)
      }
      flushing.resume()
    },
    verify,
    faultOf: (tenantId) => faults.get(tenantId) ?? null,
    faults: () => [...faults.values()],
    sources: () => sources.toSorted(),
    onAccepted: (listener) => void listeners.push(listener),
    async close() {
      await rechecking.close()
      await flushing.close()
      await flush()
    },
  }
}

/** Marks that remember nothing. For tools that fill a database of their own. */
export const noMarks: RecordMarks = {
  check: () => undefined,
  remember: () => undefined,
  verify: async () => undefined,
  faultOf: () => null,
  faults: () => [],
  sources: () => [],
  onAccepted: () => undefined,
  close: async () => undefined,
}

/** The record must not be signed. The receipts of its open calls are kept until an operator has decided. */
export class RecordRestoredError extends ApiError {
  constructor(readonly fault: RecordFault) {
    super('unavailable', fault.message, {}, { fault: 'database' })
  }
}

const describe = ({ tenant, size, atMs }: Mark, recordSize: number): string =>
  `The record of tenant ${tenant} was sealed up to entry ${size} by ${new Date(atMs).toISOString()}, and the database ${
    recordSize < size ? `ends at entry ${recordSize}` : 'has another entry there'
  }: it was restored to an earlier moment. Nothing is signed for it until an operator accepts that: tallystick record accept-restore`
