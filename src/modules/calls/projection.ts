import { createRowStatements, type Statement } from '../../db/index.js'
import type { NumberedReceipt, Projection } from '../../ledger/index.js'
import { type NewCallRow, toCallRow } from './call-row.js'

/** A row for each call, in the transaction of its receipt. */
export const projectCalls: Projection = (receipts) =>
  insertCalls(receipts.flatMap((receipt) => toCallRow(receipt) ?? []))

/** A corrected cost, in the row of the call that it corrects. Without a row there is nothing to do: rebuilding adds corrections. */
export const projectCallCorrection = ({ tenantId, draft }: NumberedReceipt): Statement[] => [
  {
    name: 'correct_call',
    text: 'update calls set cost_nanos = cost_nanos + $4 where tenant_id = $1 and ts = $2 and seq = $3',
    values: [tenantId, draft.ts, draft.adjusts, draft.costNanos ?? 0],
  },
]

const columns = [
  'tenant_id',
  'ts',
  'seq',
  'request_id',
  'kind',
  'key_id',
  'user_id',
  'team_id',
  'provider',
  'model',
  'asked_model',
  'upstream',
  'stream',
  'status',
  'outcome',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cost_nanos',
  'usage_source',
  'latency_ms',
  'first_token_ms',
  'session',
  'tags',
  'policy_ids',
] as const satisfies readonly (keyof NewCallRow)[]

const writeRows = createRowStatements({
  name: 'insert_calls',
  columns: columns.length,
  text: (tuples) => `insert into calls (${columns.join(', ')}) values ${tuples}`,
})

const insertCalls = (rows: readonly NewCallRow[]): Statement[] =>
  writeRows(rows.map((row) => columns.map((column) => row[column])))
