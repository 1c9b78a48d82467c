import type { PipelinedConnection, Statement } from '../../db/index.js'
import { errorCode } from '../../error-code.js'
import { chainEntries, type RecordHead } from '../format/chain.js'
import { CompactRange } from '../format/tree.js'
import type { SigningKey } from '../keys/signing-key.js'
import type { RecordMarks } from '../marks/record-marks.js'
import type { KnownHeads } from './known-heads.js'
import type { NewReceipt, NumberedReceipt, Projection } from './receipt.js'
import { recordStatements } from './record-statements.js'

interface HeadRow {
  tenant_id: string
  size: number
  prev: Buffer
  frontier: Buffer
}

export interface CommitOptions {
  signingKey: SigningKey
  projections: readonly Projection[]
  /** Whether receipts may be in the record already: those from a spool, or from a commit whose answer was lost. */
  mayRepeat: boolean
  /** How far records were sealed before. */
  marks: Pick<RecordMarks, 'check' | 'remember'>
  /** Without it the heads are read for each group. */
  knownHeads?: KnownHeads
}

/** A receipt of the group can never be recorded: retrying does not help, leaving it out does. */
export class InvalidReceiptError extends Error {}

/** A receipt of the group is in the record already: another replica considered this process dead and recorded its call. */
export class RepeatedReceiptError extends Error {}

/**
 * One transaction for a group: lock the tenants' heads, number, chain and hash, insert, seal, project, commit.
 * Heads are locked in the order of their ids, so that two replicas cannot deadlock. Whether a receipt is in the record
 * already is read under that lock: a commit whose answer was lost has ended by then, one way or the other.
 */
export async function commitGroup(
  connection: PipelinedConnection,
  group: readonly NewReceipt[],
  options: CommitOptions,
): Promise<Map<string, number>> {
  const { knownHeads, mayRepeat } = options
  const tenantIds = [...new Set(group.map((receipt) => receipt.tenantId))].sort()
  const known = mayRepeat ? null : knownHeads?.find(tenantIds)
  try {
    const written = known
      ? await commitAfterKnownHeads(known, connection, group, options)
      : await commitAfterReadHeads(tenantIds, connection, group, options)
    knownHeads?.remember(written.heads)
    options.marks.remember(written.heads)
    return written.seqs
  } catch (error) {
    // Has no effect after a failed commit; needed when an earlier statement failed.
    await connection.rollback().catch(() => undefined)
    if (known && isNumberTaken(error)) {
      knownHeads?.backOff()
      return await commitGroup(connection, group, options)
    }
    knownHeads?.forget()
    if (isRepeated(error)) throw new RepeatedReceiptError('A receipt is there already', { cause: error })
    throw isDataError(error)
      ? new InvalidReceiptError('The database refuses a receipt', { cause: error })
      : error
  }
}

interface Written {
  seqs: Map<string, number>
  heads: RecordHead[]
}

/**
 * Needs one round trip. If another writer has moved a head, the numbers are taken, the insert fails and nothing is
 * written.
 */
async function commitAfterKnownHeads(
  heads: readonly RecordHead[],
  connection: PipelinedConnection,
  group: readonly NewReceipt[],
  options: CommitOptions,
): Promise<Written> {
  const { statements, numbered, moved } = compose(heads, group, options)
  await connection.transact([lockHeads(heads.map(({ tenant }) => tenant)), ...statements])
  return { seqs: numbersOf(numbered), heads: moved }
}

/** Needs two round trips: one to lock and read the heads, one for the rest. */
async function commitAfterReadHeads(
  tenantIds: readonly string[],
  connection: PipelinedConnection,
  group: readonly NewReceipt[],
  options: CommitOptions,
): Promise<Written> {
  const rows = await connection.begin<HeadRow>(lockHeads(tenantIds))
  const recorded = options.mayRepeat ? await findRecorded(connection, group) : new Map<string, number>()
  const fresh = options.mayRepeat ? withoutRecorded(group, recorded) : group
  const heads = readHeads(tenantIds, rows)
  options.marks.check(heads)
  const { statements, numbered, moved } = compose(heads, fresh, options)
  await connection.commit(statements)
  return { seqs: new Map([...recorded, ...numbersOf(numbered)]), heads: moved }
}

const numbersOf = (numbered: readonly NumberedReceipt[]): Map<string, number> =>
  new Map(numbered.map(({ draft, seq }) => [draft.id, seq]))

interface Composed {
  statements: Statement[]
  numbered: NumberedReceipt[]
  /** Where the records end once the statements have run. */
  moved: RecordHead[]
}

/** Everything that the transaction writes. An error here is never the database's: a receipt must be invalid. */
function compose(
  heads: readonly RecordHead[],
  group: readonly NewReceipt[],
  { signingKey, projections }: CommitOptions,
): Composed {
  try {
    const composed: Composed = { statements: [], numbered: [], moved: [] }
    for (const head of heads) {
      const receipts = group.filter((receipt) => receipt.tenantId === head.tenant)
      if (receipts.length === 0) continue
      const drafts = receipts.map((receipt) => receipt.draft)
      const chained = chainEntries(head, drafts)
      composed.statements.push(...recordStatements(head.tenant, receipts, chained, signingKey))
      composed.moved.push(chained.head)
      for (const [i, receipt] of receipts.entries())
        composed.numbered.push({ ...receipt, seq: chained.entries[i]?.seq ?? 0 })
    }
    for (const project of projections) composed.statements.push(...project(composed.numbered))
    return composed
  } catch (cause) {
    throw new InvalidReceiptError('A receipt cannot be recorded', { cause })
  }
}

/**
 * Data that the schema refuses (SQLSTATE class 22, 23) or that exceeds a limit (54). Every other error, even a missing
 * table or permission, can be fixed by an operator, so no receipt may be given up for it.
 */
function isDataError(error: unknown): boolean {
  return /^(22|23|54)[0-9A-Z]{3}$/.test(errorCode(error) ?? '')
}

const violates = (error: unknown, constraint: string): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === constraint

const isRepeated = (error: unknown): boolean => violates(error, 'receipts_by_request')
/** Another entry has the number already: another writer has moved the head. */
const isNumberTaken = (error: unknown): boolean => violates(error, 'receipts_pkey')

const lockHeads = (tenantIds: readonly string[]): Statement => ({
  name: 'lock_heads',
  text: `select tenant_id, size, prev, frontier from record_heads
         where tenant_id = any($1) order by tenant_id for update`,
  values: [tenantIds],
})

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

const readHeads = (tenantIds: readonly string[], rows: readonly HeadRow[]): RecordHead[] =>
  tenantIds.map((tenant) => {
    const row = rows.find((each) => each.tenant_id === tenant)
    if (!row) throw new InvalidReceiptError(`Tenant ${tenant} has no record`)
    return { tenant, prev: row.prev, range: CompactRange.fromBuffer(row.size, row.frontier) }
  })
