import {
  bigintArray,
  byteaArray,
  createBatcher,
  type PipelinedConnection,
  type Statement,
  textArray,
} from '../../db/index.js'
import { databaseUnavailable } from '../../shared/errors.js'
import type { LedgerLog } from '../log.js'
import type { NewReceipt, Projection } from '../write/receipt.js'
import { openReconnectingConnection } from '../write/reconnecting-connection.js'

/** A call that was admitted and is about to be forwarded. */
export interface OpenCall {
  /** The receipt that is recorded if this process dies before the call has ended. */
  receipt: NewReceipt
  /** The generation under which the call was admitted. Null when no limit applied. */
  generation: number | null
  /** The version of the tenant's limits under which the call was admitted. */
  limitsVersion: number
}

export interface OpenCalls {
  /**
   * Resolves with true once the call is in the database, where it survives the death of this process. Resolves with
   * false when the limits were restored, or made stricter, since the call was admitted; then it must be admitted again.
   */
  open(call: OpenCall): Promise<boolean>
  /** Returns why the database is unavailable, from the last failure. Null while it is available. */
  fault(): unknown
  /** Returns whether a call of this process has no receipt yet. */
  isOpen(id: string): boolean
  /** Must be called with the receipts that are recorded. */
  ended(receipts: readonly Pick<NewReceipt, 'draft'>[]): void
  /** Called when a new connection replaced one that was lost. It may lead to another server. */
  onReconnected(listener: () => void): void
  /** Returns the number of calls that wait to be written. */
  queued(): number
  close(): Promise<void>
}

interface PendingCall {
  call: OpenCall
  resolve(opened: boolean): void
  reject(error: unknown): void
}

const answerTimeoutMs = 10_000

/** Writes calls in groups, as the ledger writes receipts. */
export async function createOpenCalls(options: {
  databaseUrl: string
  processId: string
  log: LedgerLog
}): Promise<OpenCalls> {
  const { databaseUrl, processId, log } = options
  const prepared = new WeakSet<PipelinedConnection>()
  // Bounded: calls in progress, and those whose receipts wait in the spool.
  const openIds = new Set<string>()
  // Bounded: a few listeners, registered at the start.
  const listeners: (() => void)[] = []

  // These rows must survive the death of this process, not a power cut: without waiting for the disk they cost a tenth.
  const database = await openReconnectingConnection({
    databaseUrl,
    answerTimeoutMs,
    log,
    beforeUse(connection) {
      if (prepared.has(connection)) return null
      prepared.add(connection)
      for (const listener of listeners) listener()
      return connection.read({ text: 'set synchronous_commit = off', values: [] }).then(() => undefined)
    },
  })

  async function write(group: readonly PendingCall[]): Promise<void> {
    const connection = database.current()
    try {
      if (connection === null) throw new Error('The database is unavailable')
      const rows = await connection.read<{ id: string }>(insertOpenCalls(processId, group))
      const opened = new Set(rows.map((row) => row.id))
      for (const { call, resolve } of group) resolve(opened.has(call.receipt.draft.id))
    } catch (error) {
      if (connection) database.discard(connection, error)
      for (const { reject } of group)
        reject(databaseUnavailable('The call cannot be noted in the database; nothing was forwarded', error))
    }
  }

  const batcher = createBatcher<PendingCall>({ write })
  return {
    async open(call) {
      const { id } = call.receipt.draft
      openIds.add(id)
      const isOpened = await new Promise<boolean>((resolve, reject) => {
        batcher.add({ call, resolve, reject })
      })
      if (!isOpened) openIds.delete(id)
      return isOpened
    },
    isOpen: (id) => openIds.has(id),
    ended(receipts) {
      for (const { draft } of receipts) openIds.delete(draft.id)
    },
    onReconnected: (listener) => void listeners.push(listener),
    fault: database.fault,
    queued: batcher.size,
    async close() {
      await batcher.close()
      await database.close()
    },
  }
}

/**
 * `for share` excludes `readRecentCalls`, which updates the same row: either it sees these calls, or they see its new
 * generation and are not inserted.
 */
function insertOpenCalls(processId: string, group: readonly PendingCall[]): Statement {
  const calls = group.map(({ call }) => call)
  return {
    name: 'insert_open_calls',
    text: `insert into open_calls (id, tenant_id, process_id, draft, commitment_key, batch_id)
      select c.id, c.tenant_id, $1, c.draft, c.commitment_key, c.batch_id
      from unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::bytea[], $7::bigint[], $8::text[])
        as c (id, tenant_id, generation, draft, commitment_key, limits, batch_id)
      join admission_generations g on g.tenant_id = c.tenant_id
      where (c.generation is null or c.generation = g.generation) and c.limits = g.limits
      for share of g
      returning id`,
    values: [
      processId,
      textArray(calls.map(({ receipt }) => receipt.draft.id)),
      textArray(calls.map(({ receipt }) => receipt.tenantId)),
      bigintArray(calls.map(({ generation }) => generation)),
      textArray(calls.map(({ receipt }) => JSON.stringify(receipt.draft))),
      byteaArray(calls.map(({ receipt }) => receipt.commitmentKey)),
      bigintArray(calls.map(({ limitsVersion }) => limitsVersion)),
      textArray(calls.map(({ receipt }) => receipt.draft.batch ?? null)),
    ],
  }
}

/** A call that has a receipt is no longer open. */
export const closeCalls: Projection = (receipts) => [
  {
    name: 'close_calls',
    text: 'delete from open_calls where id = any($1::text[])',
    values: [textArray(receipts.map(({ draft }) => draft.id))],
  },
]
