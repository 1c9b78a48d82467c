import { newId, type PipelinedConnection } from '../../db/index.js'
import { errorCode } from '../../shared/error-code.js'
import type { SigningKey } from '../keys/signing-key.js'
import type { RecordMarks } from '../marks/record-marks.js'
import { compose, InvalidReceiptError, numbersOf } from './compose.js'
import { hasNoRecord, isTooLate, type PlacedHead, readHeads, takeTurns } from './heads.js'
import { KnownHeads } from './known-heads.js'
import type { NewReceipt, Projection } from './receipt.js'

export { InvalidReceiptError } from './compose.js'

export interface CommitOptions {
  signingKey: SigningKey
  projections: readonly Projection[]
  /** Whether receipts may be in the record already: those from a spool, or from a commit whose answer was lost. */
  mayRepeat: boolean
  /** How far records were sealed before. */
  marks: Pick<RecordMarks, 'check' | 'remember'>
  /** Without it the heads are read for each group. */
  knownHeads?: KnownHeads
  /** Who takes turns with the other writers. */
  writer?: string
}

/** A receipt of the group is in the record already: another replica considered this process dead and recorded its call. */
export class RepeatedReceiptError extends Error {}

// Longer than all others together can take: each turn ends by itself.
const maxContendingMs = 15_000

/**
 * One transaction for a group, in one message: move the tenants' heads, insert, seal, project, commit. All of it is numbered, chained
 * and signed before, after the heads that this writer knows. If one has moved since, nothing is written, and this writer takes turns
 * with the others. A turn is no lock: it ends by itself. So no lock is ever held while the database waits for this process.
 */
export async function commitGroup(
  connection: PipelinedConnection,
  group: readonly NewReceipt[],
  options: CommitOptions,
): Promise<Map<string, number>> {
  const { knownHeads = new KnownHeads(), writer = newId('proc') } = options
  try {
    return await contend(connection, group, { ...options, knownHeads, writer })
  } catch (error) {
    knownHeads.forget()
    if (isRepeated(error)) throw new RepeatedReceiptError('A receipt is there already', { cause: error })
    throw isDataError(error) || hasNoRecord(error)
      ? new InvalidReceiptError('The database refuses a receipt', { cause: error })
      : error
  }
}

async function contend(
  connection: PipelinedConnection,
  group: readonly NewReceipt[],
  options: Required<CommitOptions>,
): Promise<Map<string, number>> {
  const { knownHeads, writer, mayRepeat, marks } = options
  const tenantIds = [...new Set(group.map((receipt) => receipt.tenantId))]
  const onMoved = (head: PlacedHead) => {
    knownHeads.remember(head)
    marks.remember([head])
  }
  const startedMs = performance.now()
  while (performance.now() - startedMs < maxContendingMs) {
    const known = mayRepeat ? null : knownHeads.find(tenantIds)
    const heads = knownHeads.isContended()
      ? await takeTurns(connection, tenantIds, writer)
      : (known ?? (await readHeads(connection, tenantIds)))
    if (heads === null) continue
    // Read after the heads: if a commit whose answer was lost ends only after this, it moves a head, and this group comes too late.
    const recorded = mayRepeat ? await findRecorded(connection, group) : new Map<string, number>()
    const fresh = mayRepeat ? withoutRecorded(group, recorded) : group
    if (fresh.length === 0) return recorded
    if (heads !== known) marks.check(heads)
    const { statements, numbered } = compose(heads, fresh, { ...options, onMoved })
    try {
      await connection.transact(statements)
      return new Map([...recorded, ...numbersOf(numbered)])
    } catch (error) {
      if (!isTooLate(error)) throw error
      knownHeads.contend()
    }
  }
  throw new Error('Other writers have moved the record again and again')
}

/**
 * Data that the schema refuses (SQLSTATE class 22, 23) or that exceeds a limit (54). Every other error, even a missing
 * table or permission, can be fixed by an operator, so no receipt may be given up for it.
 */
function isDataError(error: unknown): boolean {
  return /^(22|23|54)[0-9A-Z]{3}$/.test(errorCode(error) ?? '')
}

const isRepeated = (error: unknown): boolean =>
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

function withoutRecorded(group: readonly NewReceipt[], recorded: ReadonlyMap<string, number>): NewReceipt[] {
  const byId = new Map(group.map((receipt) => [receipt.draft.id, receipt]))
  return [...byId.values()].filter((receipt) => !recorded.has(receipt.draft.id))
}
