import { connectPipelined, type PipelinedConnection } from '../db/index.js'
import { unavailable } from '../errors.js'
import { commitGroup } from './commit.js'
import type { NewReceipt, Projection } from './receipt.js'
import type { SigningKey } from './signing-key.js'
import { openSpool } from './spool.js'

export interface Appended {
  /** Null when the receipt waits in the spool: durable, but not numbered yet. */
  seq: number | null
}

/** The one write path of the record. */
export interface Ledger {
  /** Resolves once the receipt is durable: committed, or synced to the spool while the database is away. */
  append(receipt: NewReceipt): Promise<Appended>
  /** False while the database is away: nothing new may be forwarded. */
  available(): boolean
  close(): Promise<void>
}

export interface LedgerOptions {
  databaseUrl: string
  dataDir: string
  signingKey: SigningKey
  projections: readonly Projection[]
  log: { warn(context: object, message: string): void; error(context: object, message: string): void }
  onGroup?: (size: number) => void
}

interface Pending {
  receipt: NewReceipt
  resolve(appended: Appended): void
  reject(error: unknown): void
}

const groupLimit = 256
const firstRetryMs = 50
const lastRetryMs = 1_000

export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const { spool, leftovers } = openSpool(options.dataDir)
  let connection: PipelinedConnection | null = null
  let queue: Pending[] = []
  /** What the spool holds, in memory too: replayed from here, in order, before anything new is committed. */
  let backlog: NewReceipt[] = []
  let writing: Promise<void> | null = null
  let recovery: NodeJS.Timeout | null = null
  let closed = false

  async function connect(): Promise<void> {
    const opened: PipelinedConnection = await connectPipelined(options.databaseUrl, (error) => {
      if (connection === opened) loseDatabase(error)
    })
    await replay(opened)
    connection = opened
  }

  async function replay(opened: PipelinedConnection): Promise<void> {
    try {
      while (backlog.length > 0) {
        const group = backlog.slice(0, groupLimit)
        await commitGroup(opened, group, { ...options, mayRepeat: true })
        backlog = backlog.slice(group.length)
      }
      spool.clear()
    } catch (error) {
      opened.close().catch(() => undefined)
      throw error
    }
  }

  function loseDatabase(error: unknown): void {
    connection?.close().catch(() => undefined)
    connection = null
    if (recovery !== null || closed) return
    options.log.warn(
      { err: error },
      'the record cannot be written; calls are refused until the database is back',
    )
    recoverLater(firstRetryMs)
  }

  function recoverLater(delayMs: number): void {
    recovery = setTimeout(() => {
      connect().then(
        () => {
          recovery = null
          options.log.warn({}, 'the record can be written again')
        },
        () => recoverLater(Math.min(delayMs * 2, lastRetryMs)),
      )
    }, delayMs)
  }

  /** Natural batching: while one group commits, the next gathers. No timer: an idle system waits for nothing. */
  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const group = queue.slice(0, groupLimit)
      queue = queue.slice(group.length)
      await write(group)
    }
    writing = null
  }

  async function write(group: Pending[]): Promise<void> {
    if (connection === null) return keepInSpool(group)
    try {
      const seqs = await commitGroup(
        connection,
        group.map((pending) => pending.receipt),
        { ...options, mayRepeat: false },
      )
      for (const { receipt, resolve } of group) resolve({ seq: seqs.get(receipt.draft.id) ?? null })
      options.onGroup?.(group.length)
    } catch (error) {
      if (isStatementFault(error)) return await writeOneByOne(group, error)
      loseDatabase(error)
      keepInSpool(group)
    }
  }

  /** One receipt that the database refuses must not take the others of its group with it. */
  async function writeOneByOne(group: Pending[], error: unknown): Promise<void> {
    const [only] = group
    if (group.length > 1) {
      for (const pending of group) await write([pending])
    } else if (only) {
      options.log.error({ err: error, receipt: only.receipt.draft }, 'a receipt was refused by the database')
      only.reject(error)
    }
  }

  function keepInSpool(group: Pending[]): void {
    const receipts = group.map((pending) => pending.receipt)
    backlog.push(...receipts)
    try {
      spool.append(receipts)
      for (const { resolve } of group) resolve({ seq: null })
    } catch (error) {
      // Still in memory, and written when the database is back; but no caller may rely on that.
      options.log.error({ err: error }, 'the spool cannot be written')
      for (const { reject } of group)
        reject(unavailable('The record of this call could not be made durable', error))
    }
  }

  for (const leftover of leftovers) backlog.push(...leftover.receipts)
  await connect()
  for (const leftover of leftovers) leftover.discard()

  return {
    available: () => connection !== null,
    append: (receipt) =>
      new Promise((resolve, reject) => {
        queue.push({ receipt, resolve, reject })
        writing ??= drain()
      }),
    async close() {
      await writing
      closed = true
      if (recovery !== null) clearTimeout(recovery)
      await connection?.close()
      spool.close()
    },
  }
}

/** The server understood and refused a statement, as opposed to being away (08), stopping (57P) or overloaded (53). */
function isStatementFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P|53|40|25)/.test(code)
}
