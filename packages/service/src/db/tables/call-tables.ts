import type { Generated, JSONColumnType, Selectable } from 'kysely'

/** A projection of the record: a row for each attempt of a call. Partitioned by week. */
interface CallsTable {
  tenant_id: string
  ts: Date
  seq: number
  /** The id of the call, which its attempts share. */
  request_id: string
  attempt: number
  /** The route that chose the model. */
  route: string | null
  kind: 'model' | 'tool'
  key_id: string | null
  user_id: string | null
  team_id: string | null
  provider: string | null
  /** The canonical name of the model, regardless of how the caller named it. */
  model: string | null
  asked_model: string | null
  upstream: string | null
  /** The server of a tool call. `tool` is the name of the tool, the URI of the resource or the name of the prompt. */
  server: string | null
  tool: string | null
  /** The method of a tool call. Null for `tools/call`. */
  method: string | null
  /** Whether the tool itself reported an error. */
  tool_error: boolean
  /** The code of the protocol error that the server answered with. */
  rpc_code: number | null
  stream: boolean
  status: number | null
  outcome: string | null
  input_tokens: number
  output_tokens: number
  cached_tokens: number
  /** The cost including corrections. */
  cost_nanos: number
  usage_source: string | null
  latency_ms: number | null
  first_token_ms: number | null
  session: string | null
  /** The coding agent that made the call. */
  agent: string | null
  /** `hit`: the answer came from the cache of the route. */
  cache: string | null
  /** The batch to which the call belongs as a line. */
  batch: string | null
  /** False when a budget refused the attempt, so that no rate limit counts it. */
  admitted: boolean
  tags: JSONColumnType<Record<string, string>> | null
  /** The policies that failed or acted. */
  policy_ids: string[] | null
  /** Not part of the receipt. Null when the row was rebuilt from the receipt, unless the row existed before. */
  stage_ends: (number | null)[] | null
}

interface CallsPartitionsTable {
  name: string
  since: Date
  until: Date
  /** Whether the partition has the indexes for searches. */
  indexed: Generated<boolean>
}

export interface CallTables {
  calls: CallsTable
  calls_partitions: CallsPartitionsTable
}

export type CallRow = Selectable<CallsTable>
