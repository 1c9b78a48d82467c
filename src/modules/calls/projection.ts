import type { Statement } from '../../db/index.js'
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
  ['tenant_id', 'text'],
  ['ts', 'timestamptz'],
  ['seq', 'bigint'],
  ['request_id', 'text'],
  ['kind', 'text'],
  ['key_id', 'text'],
  ['user_id', 'text'],
  ['team_id', 'text'],
  ['provider', 'text'],
  ['model', 'text'],
  ['asked_model', 'text'],
  ['upstream', 'text'],
  ['stream', 'boolean'],
  ['status', 'integer'],
  ['outcome', 'text'],
  ['input_tokens', 'bigint'],
  ['output_tokens', 'bigint'],
  ['cached_tokens', 'bigint'],
  ['cost_nanos', 'bigint'],
  ['usage_source', 'text'],
  ['latency_ms', 'integer'],
  ['first_token_ms', 'integer'],
  ['session', 'text'],
  ['tags', 'jsonb'],
  ['policy_ids', 'text'],
] as const satisfies readonly (readonly [keyof NewCallRow, string])[]

const names = columns.map(([name]) => name).join(', ')
const arrays = columns.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ')

/** An array of arrays would have to be a rectangle: lists of policies come as text. */
const insertText = `insert into calls (${names})
  select ${names.replace('policy_ids', 'policy_ids::text[]')} from unnest(${arrays}) as c (${names})`

/**
 * A column for each parameter, whatever the size of the group: one statement, one search for the partition. Measured in groups of 256, as
 * processor time for each row, Node and the database together: 20 µs; as rows of `values` it took 31 µs.
 */
function insertCalls(rows: readonly NewCallRow[]): Statement[] {
  if (rows.length === 0) return []
  return [{ name: 'insert_calls', text: insertText, values: columnsOf(rows) }]
}

/** Adds the rows that are missing, and rewrites those that differ. */
export const upsertCalls = (rows: readonly NewCallRow[]): Statement => ({
  text: `${insertText}
    on conflict (tenant_id, ts, seq) do update set (${names}) = (${columns.map(([name]) => `excluded.${name}`).join(', ')})
    where (calls.*) is distinct from (excluded.*)`,
  values: columnsOf(rows),
})

const columnsOf = (rows: readonly NewCallRow[]): unknown[][] =>
  columns.map(([name]) => rows.map((row) => row[name]))
