/**
 * All metrics. `/metrics` needs no key, so nothing here names a person or a key, and teams and tenants go by their id.
 *
 * The number of series is bounded by construction: every label has a maximum number of values, whoever chooses them. The values that
 * come first keep their name; those beyond the maximum are counted together as `other`, so that sums stay right.
 */

interface LabelBound {
  max: number
  /** Values are bounded per value of this label, which must come earlier. */
  within?: string
}

// A hundred models of a provider, and a hundred teams, are more than a chart can show; the usage API has all of them. The other
// labels have values that this program chooses; their maximum is their number, so that products of them stay small.
export const labelBounds = {
  provider: { max: 16 },
  model: { max: 100, within: 'provider' },
  team: { max: 100 },
  server: { max: 16 },
  tool: { max: 100, within: 'server' },
  endpoint: { max: 16 },
  outcome: { max: 12 },
  result: { max: 2 },
  kind: { max: 5 },
  source: { max: 3 },
  stage: { max: 16 },
  type: { max: 32 },
  check: { max: 24 },
  action: { max: 4 },
  queue: { max: 8 },
  state: { max: 8 },
  // Not `job`: that is a label of Prometheus itself.
  document: { max: 2 },
  status: { max: 2 },
  label: { max: 5 },
  quantile: { max: 3 },
  gen_ai_operation_name: { max: 2 },
  gen_ai_provider_name: { max: 16 },
  gen_ai_request_model: { max: 100, within: 'gen_ai_provider_name' },
  gen_ai_token_type: { max: 2 },
  error_type: { max: 5 },
  cause: { max: 32 },
  tenant: { max: 100 },
  // Processes of one service have the same, but for workers of an earlier version that are still stopping.
  version: { max: 2 },
  service_instance_id: { max: 2 },
} as const satisfies Record<string, LabelBound>

export type LabelName = keyof typeof labelBounds

interface MetricSpec {
  name: string
  help: string
  labels: readonly LabelName[]
}

export interface CounterSpec extends MetricSpec {
  /** Counts are divided by this number when shown, for fractions that are counted in whole units. */
  divisor?: number
}

export interface HistogramSpec extends MetricSpec {
  buckets: readonly number[]
}

export interface GaugeSpec extends MetricSpec {
  /** How the values of several worker processes are combined. */
  across: 'sum' | 'max' | 'min'
}

export const counters = {
  calls: {
    name: 'tallystick_calls_total',
    help: 'Governed calls that left a receipt, by outcome; tool calls have the provider mcp and their server as the model',
    labels: ['provider', 'model', 'endpoint', 'outcome'],
  },
  toolCalls: {
    name: 'tallystick_tool_calls_total',
    help: 'Tool calls that left a receipt; outcome tool_error if the tool itself reported a failure',
    labels: ['server', 'tool', 'outcome'],
  },
  toolSpend: {
    name: 'tallystick_tool_spend_usd_total',
    help: 'US dollars that tool calls cost; also part of tallystick_spend_usd_total',
    labels: ['server', 'tool'],
    divisor: 1e9,
  },
  rateLimited: {
    name: 'tallystick_rate_limited_total',
    help: 'Calls refused by a rate limit',
    labels: ['endpoint'],
  },
  furtherAttempts: {
    name: 'tallystick_further_attempts_total',
    help: 'Attempts that failed and were followed by another attempt, by provider and cause (connect, timeout, 429, 5xx, credential)',
    labels: ['provider', 'type'],
  },
  routeCache: {
    name: 'tallystick_route_cache_total',
    help: 'Attempts that looked in the cache of their route: answered from it (hit), or by the provider (miss)',
    labels: ['result'],
  },
  replayed: {
    name: 'tallystick_replayed_calls_total',
    help: 'Calls with an Idempotency-Key that were answered with the answer of an earlier call; they leave no receipt of their own, unless policies have changed since',
    labels: [],
  },
  stalledReaders: {
    name: 'tallystick_stalled_readers_total',
    help: 'Connections that were ended because their caller read nothing of an answer for TALLYSTICK_CLIENT_STALL_MS',
    labels: [],
  },
  turnedAway: {
    name: 'tallystick_connections_turned_away_total',
    help: 'Connections that the system refused because too many waited to be accepted, on the whole machine. With --workers they are only logged',
    labels: [],
  },
  replicaReads: {
    name: 'tallystick_replica_reads_total',
    help: 'Reads that the read replica answered',
    labels: [],
  },
  replicaFallbacks: {
    name: 'tallystick_replica_fallbacks_total',
    help: 'Reads that the primary answered because the read replica was away, or too far behind',
    labels: [],
  },
  jobsEnded: {
    name: 'tallystick_compliance_jobs_total',
    help: 'Background attestations and exports that ended, by result (done, failed); cancelled ones are not counted',
    labels: ['document', 'status'],
  },
  refused: {
    name: 'tallystick_refused_total',
    help: 'Calls refused without a receipt, by type of error: by rate limits, or before limits were checked',
    labels: ['endpoint', 'type'],
  },
  tokens: {
    name: 'tallystick_tokens_total',
    help: 'Tokens as in receipts. cached and written are part of input, reasoning is part of output',
    labels: ['provider', 'model', 'kind'],
  },
  spend: {
    name: 'tallystick_spend_usd_total',
    help: 'US dollars as in receipts, without later corrections; counted in whole nano-dollars',
    labels: ['provider', 'model'],
    divisor: 1e9,
  },
  teamCalls: {
    name: 'tallystick_team_calls_total',
    help: 'Governed calls by team id; none for calls without a team',
    labels: ['team', 'outcome'],
  },
  teamTokens: {
    name: 'tallystick_team_tokens_total',
    help: 'Tokens by team id',
    labels: ['team', 'kind'],
  },
  teamSpend: {
    name: 'tallystick_team_spend_usd_total',
    help: 'US dollars by team id',
    labels: ['team'],
    divisor: 1e9,
  },
  usageSource: {
    name: 'tallystick_usage_source_total',
    help: 'Calls by the source of their counts: the provider, this service (counted), or the reservation',
    labels: ['source'],
  },
  failedChecks: {
    name: 'tallystick_failed_checks_total',
    help: 'Failed checks of calls, by check or kind of policy, and the action taken',
    labels: ['check', 'action'],
  },
  interrupted: {
    name: 'tallystick_interrupted_calls_total',
    help: 'Calls of processes that died, recorded with their reserved amounts',
    labels: [],
  },
  refusedReceipts: {
    name: 'tallystick_receipts_refused_total',
    help: 'Receipts that can never be recorded; they are kept in spool/refused.jsonl',
    labels: [],
  },
  spans: {
    name: 'tallystick_trace_spans_total',
    help: 'Spans that the trace collector accepted, and spans that were dropped',
    labels: ['outcome'],
  },
  exportedLines: {
    name: 'tallystick_log_lines_total',
    help: 'Log lines that the collector accepted, and log lines that were not sent to it',
    labels: ['outcome'],
  },
  webhookAttempts: {
    name: 'tallystick_webhook_attempts_total',
    help: 'Webhook delivery attempts by outcome',
    labels: ['outcome'],
  },
  sinkRows: {
    name: 'tallystick_sink_rows_total',
    help: 'Rows that this process exported to sinks, by kind of data',
    labels: ['type'],
  },
  contentLost: {
    name: 'tallystick_content_lost_total',
    help: 'Calls whose captured content could not be stored',
    labels: [],
  },
} as const satisfies Record<string, CounterSpec>

// Of OpenTelemetry's conventions for generative AI, 1.37: the names in Prometheus' spelling, and the buckets that they advise.
const genAiSecondsBuckets = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
]
const genAiTarget = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model'] as const

export const histograms = {
  callSeconds: {
    name: 'tallystick_call_duration_seconds',
    help: 'From the arrival of a call to the end of its answer',
    labels: ['endpoint'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  },
  stageSeconds: {
    name: 'tallystick_stage_duration_seconds',
    help: 'Time that calls spent in each stage of the pipeline; forward and answer are the provider',
    labels: ['stage'],
    buckets: [
      0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60,
    ],
  },
  toolSeconds: {
    name: 'tallystick_tool_duration_seconds',
    help: "From sending a tool call to its server to the end of the answer, without this service's own stages",
    labels: ['server'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  },
  groupSize: {
    name: 'tallystick_ledger_group_size',
    help: 'Receipts per committed group',
    labels: [],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  },
  commitSeconds: {
    name: 'tallystick_ledger_commit_duration_seconds',
    help: 'Time to commit one group of receipts',
    labels: [],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  },
  genAiTokens: {
    name: 'gen_ai_client_token_usage',
    help: 'Tokens that a call used, input and output',
    labels: [...genAiTarget, 'gen_ai_token_type'],
    buckets: [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864],
  },
  genAiClientSeconds: {
    name: 'gen_ai_client_operation_duration_seconds',
    help: "From sending a call to its provider to the end of the answer, without this service's own stages",
    labels: [...genAiTarget, 'error_type'],
    buckets: genAiSecondsBuckets,
  },
  genAiServerSeconds: {
    name: 'gen_ai_server_request_duration_seconds',
    help: 'From the arrival of a call to the end of its answer',
    labels: [...genAiTarget, 'error_type'],
    buckets: genAiSecondsBuckets,
  },
  genAiFirstToken: {
    name: 'gen_ai_server_time_to_first_token_seconds',
    help: 'From the arrival of a streamed call that succeeded to the first byte of its answer',
    labels: genAiTarget,
    buckets: [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
} as const satisfies Record<string, HistogramSpec>

export const gauges = {
  buildInfo: {
    name: 'tallystick_build_info',
    help: 'Always 1. Its labels are the version of the program, and the instance as spans name it',
    labels: ['version', 'service_instance_id'],
    across: 'max',
  },
  certificateExpiry: {
    name: 'tallystick_tls_certificate_expires_at_seconds',
    help: 'When the TLS certificate of the service expires, in seconds since 1970. Missing without TLS',
    labels: [],
    across: 'min',
  },
  callsInFlight: {
    name: 'tallystick_calls_in_flight',
    help: 'Calls whose receipt is not written yet',
    labels: [],
    across: 'sum',
  },
  streamsOpen: {
    name: 'tallystick_streams_open',
    help: 'Calls in flight that asked for a stream',
    labels: [],
    across: 'sum',
  },
  socketsOpen: {
    name: 'tallystick_websockets_open',
    help: 'Open WebSockets of the gateway, whether or not a call is in progress on them',
    labels: [],
    across: 'sum',
  },
  bodyBytes: {
    name: 'tallystick_body_bytes_in_flight',
    help: 'Memory that is counted for the bodies of calls in flight',
    labels: [],
    across: 'sum',
  },
  bodyBytesLimit: {
    name: 'tallystick_body_bytes_limit',
    help: 'The maximum of tallystick_body_bytes_in_flight',
    labels: [],
    across: 'sum',
  },
  targetsResting: {
    name: 'tallystick_targets_resting',
    help: 'Models that are tried last because they failed recently, by provider, as seen by this process',
    labels: ['provider'],
    across: 'max',
  },
  queueLength: {
    name: 'tallystick_queue_length',
    help: 'Items that wait inside the process: receipts, open calls and content to be written, and long computations',
    labels: ['queue'],
    across: 'sum',
  },
  eventLoopDelay: {
    name: 'tallystick_event_loop_delay_seconds',
    help: 'Event loop delay in the last complete 10 s, sampled every 100 ms: median, 99th percentile, maximum',
    labels: ['quantile'],
    across: 'max',
  },
  recordWritable: {
    name: 'tallystick_record_writable',
    help: '1 while receipts can be written; 0 while calls are refused because the database is unavailable',
    labels: [],
    across: 'min',
  },
  secretOutages: {
    name: 'tallystick_secret_outages',
    help: 'References to secrets in stores that cannot be read now; the values that were read before stay in use',
    labels: [],
    across: 'max',
  },
  fault: {
    name: 'tallystick_fault',
    help: '1 for each cause that /readyz names; the causes are in docs/operate/probes.md',
    labels: ['cause'],
    across: 'max',
  },
  recordRefused: {
    name: 'tallystick_record_refused',
    help: '1 for each tenant whose record is not signed because the database was restored to an earlier moment',
    labels: ['tenant'],
    across: 'max',
  },
  dataDirectoryFree: {
    name: 'tallystick_data_directory_free_bytes',
    help: 'Free space of the disk of the data directory',
    labels: [],
    across: 'min',
  },
  spooled: {
    name: 'tallystick_spool_receipts',
    help: 'Receipts on this disk that wait for the database',
    labels: [],
    across: 'sum',
  },
  lastCommit: {
    name: 'tallystick_ledger_last_commit_timestamp_seconds',
    help: 'When a group of receipts was last committed and sealed; absent before the first',
    labels: [],
    across: 'max',
  },
  databaseUp: {
    name: 'tallystick_database_up',
    help: '1 while the database, embedded or not, answers within 5 s',
    labels: [],
    across: 'min',
  },
  databasePing: {
    name: 'tallystick_database_ping_seconds',
    help: 'Time that the last empty query took, including the wait for a connection',
    labels: [],
    across: 'max',
  },
  replicaUsable: {
    name: 'tallystick_replica_usable',
    help: '1 while the read replica answers reads; 0 while it is away or too far behind. Missing without TALLYSTICK_DATABASE_READ_URL',
    labels: [],
    across: 'min',
  },
  replicaLag: {
    name: 'tallystick_replica_lag_seconds',
    help: 'How far the read replica is behind. Missing while it is not usable',
    labels: [],
    across: 'max',
  },
  databaseConnections: {
    name: 'tallystick_database_connections',
    help: 'Connections of the pool in use and idle, and requests that wait for one',
    labels: ['state'],
    across: 'sum',
  },
  redisUp: {
    name: 'tallystick_redis_up',
    help: '1 while Redis answers within 5 s, takes writes and evicts nothing; absent without Redis',
    labels: [],
    across: 'min',
  },
  redisPing: {
    name: 'tallystick_redis_ping_seconds',
    help: 'Time that the last ping of Redis took',
    labels: [],
    across: 'max',
  },
  webhookBacklog: {
    name: 'tallystick_webhook_deliveries',
    help: 'Deliveries that wait, in the whole database: new, or to be retried; counted up to 10000',
    labels: ['state'],
    across: 'max',
  },
  webhookOverdue: {
    name: 'tallystick_webhook_overdue_seconds',
    help: 'How long the oldest delivery that is due has been waiting; 0 when none is due',
    labels: [],
    across: 'max',
  },
  sinkOverdue: {
    name: 'tallystick_sink_overdue_seconds',
    help: 'How much longer than the interval of its sink the oldest entry has been waiting to be exported, in the whole database, by kind of data',
    labels: ['type'],
    across: 'max',
  },
  jobsWaiting: {
    name: 'tallystick_compliance_jobs_waiting',
    help: 'Background attestations and exports of all tenants that are waiting',
    labels: ['document'],
    across: 'max',
  },
  jobsRunning: {
    name: 'tallystick_compliance_jobs_running',
    help: 'Background attestations and exports of all tenants that a replica is working on',
    labels: ['document'],
    across: 'max',
  },
  budgets: {
    name: 'tallystick_budgets',
    help: 'Budgets, team pools and user caps of all tenants that have reached their threshold (near) or their amount (exhausted)',
    labels: ['state'],
    across: 'max',
  },
  unfoldedUsage: {
    name: 'tallystick_usage_unfolded_rows',
    help: 'Usage rows of all tenants that are not yet added to totals; counted up to 100000',
    labels: [],
    across: 'max',
  },
  lastAnchor: {
    name: 'tallystick_anchor_last_timestamp_seconds',
    help: 'When a checkpoint was last anchored; absent if nothing is anchored',
    labels: [],
    across: 'max',
  },
  figuresRead: {
    name: 'tallystick_figures_timestamp_seconds',
    help: 'When the figures from the database were last read: deliveries, budgets, anchors',
    labels: [],
    across: 'min',
  },
  labelValues: {
    name: 'tallystick_metric_label_values',
    help: 'Values of a bounded label so far; at its maximum, further ones are counted as other',
    labels: ['label'],
    across: 'max',
  },
} as const satisfies Record<string, GaugeSpec>

export type CounterName = keyof typeof counters
export type HistogramName = keyof typeof histograms
export type GaugeName = keyof typeof gauges
