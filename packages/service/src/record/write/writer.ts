import { createBatcher, newId, type PipelinedConnection } from '../../db/index.js'
import { databaseUnavailable } from '../../shared/errors.js'
import type { SigningKey } from '../keys/signing-key.js'
import type { LedgerLog } from '../log.js'
import { type RecordFault, type RecordMarks, RecordRestoredError } from '../marks/record-marks.js'
import { commitGroup, InvalidReceiptError, RepeatedReceiptError } from './commit.js'
import { KnownHeads } from './known-heads.js'
import type { NewReceipt, NumberedReceipt, Projection } from './receipt.js'
import { openReconnectingConnection } from './reconnecting-connection.js'
import { openSpool } from './spool.js'

export interface Appended {
  /** The number of the receipt. Null when the receipt is in the spool: durable, but not numbered yet. */
  seq: number | null
}

/** Writes the record. There is no other write path for receipts. */
export interface Ledger {
  /** Resolves once the receipt is durable: committed, or synced to the spool while the database is unavailable. */
  append(receipt: NewReceipt): Promise<Appended>
  /** False while the database is unavailable. No new call may be forwarded then. */
  available(): boolean
  /** Returns why the database is unavailable, from the last failure. Null while it is available. */
  fault(): unknown
  /** Returns why the record of a tenant must not be signed. Null when it may be signed. */
  faultOf(tenantId: string): string | null
  /** Returns the tenants whose records must not be signed, and why. */
  refused(): readonly Pick<RecordFault, 'tenant' | 'message'>[]
  /** Returns the number of receipts that wait to be written, and of those in the spool. */
  pending(): { queued: number; spooled: number }
  /** Records everything that was appended, then disconnects. Later receipts are written to the spool. */
  close(): Promise<void>
}

export interface LedgerOptions {
  databaseUrl: string
  dataDir: string
  signingKey: SigningKey
  marks: RecordMarks
  projections: readonly Projection[]
  log: LedgerLog
  /** After this long without an answer the database counts as unavailable, and receipts go to the spool. */
  answerTimeoutMs?: number
  /** Called for every recorded group, before `append` resolves. */
  onRecorded?: (receipts: readonly NumberedReceipt[], commitMs: number) => void
  /** Called for every receipt that can never be recorded. */
  onRefused?: () => void
}

interface PendingReceipt {
  receipt: NewReceipt
  resolve(appended: Appended): void
  reject(error: unknown): void
}

type RecordingOutcome = { seq: number } | { refusal: InvalidReceiptError } | { suspended: true }
type ReportOutcome = (receipt: NewReceipt, outcome: RecordingOutcome) => void

const maxGroupSize = 256
const defaultAnswerTimeoutMs = 10_000

export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const { log, answerTimeoutMs = defaultAnswerTimeoutMs } = options
  const { spool, leftovers } = openSpool(options.dataDir)
  if (leftovers.unreadable > 0)
    log.error(
      { lines: leftovers.unreadable },
      'lines of a spool cannot be read, perhaps because the disk was full; they are kept in spool/refused.jsonl and are not in the record',
    )
  /** The receipts in the spool, which are recorded before any new receipt. */
  let backlog: NewReceipt[] = leftovers.receipts
  /** Receipts in the spool whose records are not signed until an operator accepts a restore. */
  // Bounded: receipts of calls that were open when their record was found to be behind its mark. No more calls are accepted then.
  let suspended: NewReceipt[] = []
  const knownHeads = new KnownHeads()
  const writer = newId('proc')
  /** The connection for which the marks were verified. */
  let checked: PipelinedConnection | null = null

  const database = await openReconnectingConnection({ ...options, answerTimeoutMs, beforeUse })
  if (suspended.length === 0) leftovers.discard()
  options.marks.onAccepted(recordSuspended)

  /** Verifies marks on a new connection, because it may lead to another server or to a restored database, and records the backlog. */
  function beforeUse(connection: PipelinedConnection): Promise<void> | null {
    if (checked === connection) return recordBacklog(connection)
    checked = connection
    knownHeads.forget()
    return options.marks.verify()
  }

  /** Records one group, or clears the spool when the backlog is empty. Both happen without a pause in which a receipt could be spooled. */
  function recordBacklog(connection: PipelinedConnection): Promise<void> | null {
    if (backlog.length > 0) return recordOldest(connection)
    clearSpool()
    return null
  }

  function clearSpool(): void {
    if (backlog.length > 0 || suspended.length > 0) return
    try {
      spool.clear()
    } catch (error) {
      log.warn({ err: error }, 'a spool file cannot be removed; all its receipts are in the record')
    }
  }

  async function recordOldest(connection: PipelinedConnection): Promise<void> {
    const done = new Set<string>()
    try {
      await record(connection, backlog.slice(0, maxGroupSize), true, (receipt, outcome) => {
        done.add(receipt.draft.id)
        if ('suspended' in outcome) suspended.push(receipt)
      })
    } finally {
      backlog = backlog.filter(({ draft }) => !done.has(draft.id))
    }
  }

  /**
   * Records a group and reports the outcome of each receipt once. After a rejection, a receipt without an outcome may be in the record or
   * not.
   */
  async function record(
    connection: PipelinedConnection,
    group: readonly NewReceipt[],
    mayBeRecorded: boolean,
    report: ReportOutcome,
  ): Promise<void> {
    let seqs: Map<string, number>
    const startedMs = performance.now()
    try {
      seqs = await commitGroup(connection, group, { ...options, mayBeRecorded, knownHeads, writer })
    } catch (error) {
      if (error instanceof RepeatedReceiptError && !mayBeRecorded)
        return await record(connection, group, true, report)
      if (error instanceof RecordRestoredError)
        return await recordOthers(connection, group, mayBeRecorded, report)
      if (!(error instanceof InvalidReceiptError)) throw error
      const [only] = group
      if (group.length === 1 && only) return refuse(only, error, report)
      // An invalid receipt must not keep the others of its group from being recorded.
      const middle = group.length >> 1
      await record(connection, group.slice(0, middle), mayBeRecorded, report)
      return await record(connection, group.slice(middle), mayBeRecorded, report)
    }
    const numbered = group.map((receipt) => ({ ...receipt, seq: seqs.get(receipt.draft.id) ?? 0 }))
    options.onRecorded?.(numbered, performance.now() - startedMs)
    for (const receipt of numbered) report(receipt, { seq: receipt.seq })
  }

  /** Records the receipts of tenants whose records may be signed. */
  async function recordOthers(
    connection: PipelinedConnection,
    group: readonly NewReceipt[],
    mayBeRecorded: boolean,
    report: ReportOutcome,
  ): Promise<void> {
    const isSuspended = ({ tenantId }: NewReceipt) => options.marks.faultOf(tenantId) !== null
    for (const receipt of group) if (isSuspended(receipt)) report(receipt, { suspended: true })
    const others = group.filter((receipt) => !isSuspended(receipt))
    if (others.length > 0) await record(connection, others, mayBeRecorded, report)
  }

  function recordSuspended(tenantId: string): void {
    const receipts = suspended.filter((receipt) => receipt.tenantId === tenantId)
    suspended = suspended.filter((receipt) => receipt.tenantId !== tenantId)
    const recorded = receipts.map(
      (receipt) => new Promise((resolve) => batcher.add({ receipt, resolve, reject: resolve })),
    )
    void Promise.all(recorded).then(clearSpool)
  }

  function refuse(receipt: NewReceipt, refusal: InvalidReceiptError, report: ReportOutcome): void {
    options.onRefused?.()
    log.error(
      { err: refusal, draft: receipt.draft },
      'the database refused a receipt; it is kept in spool/refused.jsonl: report it, it is not in the record',
    )
    try {
      spool.saveRefused(receipt)
    } catch (error) {
      log.error(
        { err: error },
        'spool/refused.jsonl cannot be written; the previous log line is the only copy of the receipt',
      )
    }
    report(receipt, { refusal })
  }

  async function write(group: readonly PendingReceipt[]): Promise<void> {
    const connection = database.current()
    if (connection === null) return appendToSpool(group)
    const waiting = new Map(group.map((pending) => [pending.receipt.draft.id, pending]))
    const receipts = group.map((pending) => pending.receipt)
    const suspendedCalls: PendingReceipt[] = []
    try {
      await record(connection, receipts, false, ({ draft }, outcome) => {
        const pending = waiting.get(draft.id)
        waiting.delete(draft.id)
        if ('refusal' in outcome) pending?.reject(outcome.refusal)
        else if ('suspended' in outcome) suspendedCalls.push(...(pending ? [pending] : []))
        else pending?.resolve(outcome)
      })
      if (suspendedCalls.length > 0) appendToSpool(suspendedCalls, suspended)
    } catch (error) {
      // This includes a lost answer to COMMIT. The replay checks which receipts are already in the record.
      database.discard(connection, error)
      appendToSpool([...waiting.values(), ...suspendedCalls])
    }
  }

  function appendToSpool(group: readonly PendingReceipt[], list = backlog): void {
    const receipts = group.map((pending) => pending.receipt)
    list.push(...receipts)
    try {
      spool.append(receipts)
      for (const { resolve } of group) resolve({ seq: null })
    } catch (error) {
      // The receipts stay in memory and are recorded when the database is available again, but no caller may rely on that.
      log.error(
        { err: error },
        'the spool cannot be written: check the disk of the data directory; until then calls fail while the database is unavailable',
      )
      for (const { reject } of group)
        reject(databaseUnavailable('The record of this call could not be made durable', error))
    }
  }

  const batcher = createBatcher<PendingReceipt>({ write, maxGroupSize })
  return {
    available: () => database.current() !== null,
    fault: database.fault,
    refused: options.marks.faults,
    faultOf: (tenantId) => options.marks.faultOf(tenantId)?.message ?? null,
    pending: () => ({ queued: batcher.size(), spooled: backlog.length + suspended.length }),
    append: (receipt) =>
      new Promise((resolve, reject) => {
        batcher.add({ receipt, resolve, reject })
      }),
    async close() {
      await batcher.close()
      await database.close()
    },
  }
}
