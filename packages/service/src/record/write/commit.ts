import { newId, type PipelinedConnection } from '../../db/index.js'
import { errorCode } from '../../shared/error-code.js'
import type { SigningKey } from '../keys/signing-key.js'
import type { RecordMarks } from '../marks/record-marks.js'
import { composeStatements, InvalidReceiptError, seqsById } from './compose.js'
import { isHeadMoved, isRecordMissing, leaseHeads, readHeads, type StoredHead } from './heads.js'
import { KnownHeads } from './known-heads.js'
import type { NewReceipt, Projection } from './receipt.js'

export { InvalidReceiptError } from './compose.js'

export interface CommitOptions {
  signingKey: SigningKey
  projections: readonly Projection[]
  /** Whether receipts may be in the record already: those from a spool, or from a commit whose answer was lost. */
  mayBeRecorded: boolean
  /** The marks of how far records were sealed. */
  marks: Pick<RecordMarks, 'check' | 'remember'>
  /** The heads as of the last commit. Without them, the heads are read for each group. */
  knownHeads?: KnownHeads
  /** The id of this writer, under which it leases heads. */
  writer?: string
}

/** A receipt of the group is already in the record, because another replica considered this process dead and recorded its call. */
export class RepeatedReceiptError extends Error {}

// Longer than the leases of all other writers together, each of which ends by itself.
const maxRetryMs = 15_000

/**
 * Commits a group in one transaction and one message: it moves the heads of the tenants, inserts, seals and projects. Entries are
 * numbered, chained and signed beforehand, based on the heads that this writer knows. If a head has moved since, nothing is written, and
 * this writer leases the heads before it tries again. A lease is not a lock and ends by itself, so no lock is ever held while the database
 * waits for this process. Returns the number of each receipt by its id.
 */
export async function commitGroup(
  connection: PipelinedConnection,
  group: readonly NewReceipt[],
  options: CommitOptions,
): Promise<Map<string, number>> {
  const { knownHeads = new KnownHeads(), writer = newId('proc') } = options
  try {
    return await commitWithRetries(connection, group, { ...options, knownHeads, writer })
  } catch (error) {
    knownHeads.forget()
    if (isAlreadyRecorded(error))
      throw new RepeatedReceiptError('A receipt is already in the record', { cause: error })
    throw isDataError(error) || isRecordMissing(error)
      ? new InvalidReceiptError('The database refuses a receipt', { cause: error })
      : error
  }
}

async function commitWithRetries(
  connection: PipelinedConnection,
  group: readonly NewReceipt[],
  options: Required<CommitOptions>,
): Promise<Map<string, number>> {
  const { knownHeads, writer, mayBeRecorded, marks } = options
  const tenantIds = [...new Set(group.map((receipt) => receipt.tenantId))]
  const onMoved = (head: StoredHead) => {
    knownHeads.remember(head)
    marks.remember([head])
  }
  const startedMs = performance.now()
  while (performance.now() - startedMs < maxRetryMs) {
    const known = mayBeRecorded ? null : knownHeads.find(tenantIds)
    const heads = knownHeads.shouldLease()
      ? await leaseHeads(connection, tenantIds, writer)
      : (known ?? (await readHeads(connection, tenantIds)))
    if (heads === null) continue
    // This is read after the heads. If a commit whose answer was lost ends later, it moves a head, and this group is refused.
    const recorded = mayBeRecorded ? await findRecorded(connection, group) : new Map<string, number>()
    const unrecorded = mayBeRecorded ? omitRecorded(group, recorded) : group
    if (unrecorded.length === 0) return recorded
    if (heads !== known) marks.check(heads)
    const { statements, numbered } = composeStatements(heads, unrecorded, { ...options, onMoved })
    try {
      await connection.transact(statements)
      return new Map([...recorded, ...seqsById(numbered)])
    } catch (error) {
      if (!isHeadMoved(error)) throw error
      knownHeads.markContended()
    }
  }
  throw new Error('Other writers have moved the record again and again')
}

/**
 * Returns whether the schema refuses the data (SQLSTATE class 22, 23) or the data exceeds a limit (54). An operator can fix every other
 * error, including a missing table or permission, so no receipt may be discarded for it.
 */
function isDataError(error: unknown): boolean {
  return /^(22|23|54)[0-9A-Z]{3}$/.test(errorCode(error) ?? '')
}

const isAlreadyRecorded = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'receipts_by_request'

async function findRecorded(
  connection: PipelinedConnection,
  group: readonly NewReceipt[],
): Promise<Map<string, number>> {
  const rows = await connection.read<{ request_id: string; seq: number }>({
    text: 'select request_id, seq from receipts where request_id = any($1)',
    values: [group.map((receipt) => receipt.draft.id)],
  })
  return new Map(rows.map((row) => [row.request_id, row.seq]))
}

function omitRecorded(group: readonly NewReceipt[], recorded: ReadonlyMap<string, number>): NewReceipt[] {
  const byId = new Map(group.map((receipt) => [receipt.draft.id, receipt]))
  return [...byId.values()].filter((receipt) => !recorded.has(receipt.draft.id))
}
