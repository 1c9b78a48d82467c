import type { Generated, JSONColumnType, Selectable } from 'kysely'

/** A projection of the record: a row for each attempt of a call. Partitioned by week. */
interface CallsTable {
  tenant_id: string
  ts: Date
  seq: number
  /** The call's. Its attempts share it. */
  request_id: string
  attempt: number
  /** The route that chose the model. */
  route: string | null
  kind: 'model' | 'tool'
  key_id: string | null
  user_id: string | null
  team_id: string | null
  provider: string | null
  /** One spelling for a model, however the caller spelt it. */
  model: string | null
  asked_model: string | null
  upstream: string | null
  /** Of a call of a tool: its server, and the tool by its own name, the URI of a resource, or the name of a prompt. */
  server: string | null
  tool: string | null
  /** Where it is not `tools/call`. */
  method: string | null
  /** The tool itself said that it failed. */
  tool_error: boolean
  /** Of a protocol error that the server answered with. */
  rpc_code: number | null
  stream: boolean
  status: number | null
  outcome: string | null
  input_tokens: number
  output_tokens: number
  cached_tokens: number
  /** Corrections included. */
  cost_nanos: number
  usage_source: string | null
  latency_ms: number | null
  first_token_ms: number | null
  session: string | null
  /** The coding agent that made the call. */
  agent: string | null
  /** `hit`: the answer came from the cache of the route. */
  cache: string | null
  /** The batch that it was a line of. */
  batch: string | null
  /** False when its budget refused it: no window counts it. */
  admitted: boolean
  tags: JSONColumnType<Record<string, string>> | null
  /** Policies that failed or acted. */
  policy_ids: string[] | null
  /** Not from the receipt: null where the call is built again from it, unless it was there already. */
  stage_ends: (number | null)[] | null
}

interface CallsPartitionsTable {
  name: string
  since: Date
  until: Date
  /** Whether it has the indexes that searches use. */
  indexed: Generated<boolean>
}

export interface CallTables {
  calls: CallsTable
  calls_partitions: CallsPartitionsTable
}

export type CallRow = Selectable<CallsTable>
