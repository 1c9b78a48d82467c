import { canonicalize } from '../json/index.js'
import type { Counts, Price } from '../pricing/index.js'
import type { RestoreDetails } from './exceptions.js'

// Each field of the receipt is declared here: its type in `Entry`, its meaning in `entryFields`, and its position in the hashed text in
// `orderMembers`. The compiler requires all three. The database, the export and the verifier use the text unchanged, and the
// documentation of the API uses the table.
//
// A field without a value is left out and never null. Every number is a safe integer. An entry contains no text of prompts: `request`
// and `response` are commitments.

export type CheckResult = 'pass' | 'fail' | 'error' | 'skip'

export interface EntryCheck {
  name: string
  applicable: boolean
  result: CheckResult
  action?: string
  policy?: string
}

/** `control` entries record events of the record itself, such as a new signing key or a changed pack. */
export type EntryKind = 'model' | 'tool' | 'control'

/**
 * How a call ended. `blocked` and `redacted` are decisions of policies and limits. `aborted`: the caller disconnected or lost its access.
 * `interrupted`: the process died, and the cost is the reserved cost. `failed`: this service could not make the call.
 */
export const entryOutcomes = [
  'ok',
  'blocked',
  'redacted',
  'upstream_error',
  'aborted',
  'interrupted',
  'failed',
] as const
export type EntryOutcome = (typeof entryOutcomes)[number]

/** The part of this service that failed. The names are those in errors. */
export type EntryFault = 'database' | 'limits' | 'shutdown' | 'capacity' | 'internal'

/** The source of the counts of a receipt: reported by the provider, counted by this service, or the reserved amounts. */
export type UsageSource = 'provider' | 'counted' | 'reserved'

/** The current format of entries. */
export const entryFormat = 2

export interface Entry {
  v: typeof entryFormat
  tenant: string
  seq: number
  prev: string
  id: string
  call?: string
  attempt?: number
  batch?: string
  line?: number
  ts: string
  kind: EntryKind
  key?: string
  user?: string
  team?: string
  session?: string
  agent?: string
  tags?: Readonly<Record<string, string>>
  route?: string
  provider?: string
  model?: string
  target?: string
  upstream?: string
  server?: string
  tool?: string
  method?: string
  toolError?: true
  rpcCode?: number
  inputTokens?: number
  outputTokens?: number
  cachedTokens?: number
  costNanos?: number
  counts?: Counts
  usage?: UsageSource
  tier?: string
  price?: string
  latencyMs?: number
  firstTokenMs?: number
  stream?: boolean
  status?: number
  outcome?: EntryOutcome
  fault?: EntryFault
  request?: string
  response?: string
  cache?: 'hit'
  content?: 'redacted' | 'full'
  promptId?: string
  promptVersion?: number
  policies?: string
  checks?: EntryCheck[]
  packs?: string[]
  event?: string
  subject?: string
  terms?: Price
  adjusts?: number
  reason?: string
  by?: string
  restore?: RestoreDetails
}

type SchemaType<Value> = Value extends string
  ? 'string'
  : Value extends number
    ? 'integer'
    : Value extends boolean
      ? 'boolean'
      : 'array' | 'object'

/** JSON Schema of a field, and what the field means. */
interface FieldSchema<Value> {
  readonly type?: SchemaType<Value>
  readonly enum?: readonly Value[]
  readonly format?: 'date-time'
  readonly items?: object
  readonly additionalProperties?: object | true
  readonly description?: string
}

/** The meaning of each field, for the documentation of the API. The API declares the schemas of the structured fields itself. */
export const entryFields: {
  readonly [Name in Exclude<keyof Entry, 'counts' | 'checks' | 'restore'>]-?: FieldSchema<
    NonNullable<Entry[Name]>
  >
} = {
  v: { type: 'integer', description: 'The version of the receipt format' },
  tenant: { type: 'string' },
  seq: { type: 'integer', description: 'The number of the entry in the record, from 1 without gaps' },
  prev: { type: 'string', description: 'The leaf hash of the previous entry, in hex' },
  id: { type: 'string', description: 'The id of the call. For a further attempt, the id of the attempt' },
  call: { type: 'string', description: 'For a further attempt: the id of the call' },
  attempt: { type: 'integer', description: 'For a further attempt: its number within the call, from 2' },
  batch: { type: 'string', description: 'For a line of a batch: the id of the batch' },
  line: { type: 'integer', description: 'For a line of a batch: the number of the line in the file, from 1' },
  ts: { type: 'string', format: 'date-time', description: 'When the call was admitted' },
  kind: { enum: ['model', 'tool', 'control'] },
  key: { type: 'string' },
  user: { type: 'string' },
  team: { type: 'string' },
  session: {
    type: 'string',
    description: 'The session that the caller set, such as one run of an agent',
  },
  agent: {
    type: 'string',
    description: 'The coding agent that made the call: `claude-code`, `codex` or `opencode`',
  },
  tags: {
    type: 'object',
    description: 'The tags of the call',
    additionalProperties: { type: 'string' },
  },
  route: { type: 'string', description: 'The route that chose the model' },
  provider: { type: 'string' },
  model: { type: 'string', description: 'The model that was requested' },
  target: {
    type: 'string',
    description: 'The name of the model at the provider, if `model` is an alias',
  },
  upstream: { type: 'string', description: 'The model that answered' },
  server: { type: 'string', description: 'For a tool call: the name of the MCP server' },
  tool: {
    type: 'string',
    description: 'For a tool call: the name of the tool, the URI of the resource, or the name of the prompt',
  },
  method: { type: 'string', description: 'For a tool call: the method, if it is not `tools/call`' },
  toolError: {
    type: 'boolean',
    description: 'True if the tool itself reported a failure (`isError`)',
  },
  rpcCode: { type: 'integer', description: 'The code of the protocol error that the server returned' },
  inputTokens: { type: 'integer' },
  outputTokens: { type: 'integer' },
  cachedTokens: { type: 'integer' },
  costNanos: {
    type: 'integer',
    description:
      'The cost in whole nano-dollars: 1,000,000,000 are 1 USD. In an entry that adjusts another, the difference, which can be negative',
  },
  usage: {
    type: 'string',
    description:
      'The source of the counts: `provider`, `counted` (by this service, from a complete answer) or `reserved` (the upper bound)',
  },
  tier: { type: 'string', description: 'The price tier, if it is not the standard one' },
  price: {
    type: 'string',
    description: 'The SHA-256 of the price that applied. A control entry of the record contains the price',
  },
  latencyMs: { type: 'integer' },
  firstTokenMs: { type: 'integer' },
  stream: { type: 'boolean' },
  status: { type: 'integer' },
  outcome: {
    type: 'string',
    description: 'ok, blocked, redacted, upstream_error, aborted, interrupted or failed',
  },
  fault: {
    type: 'string',
    description:
      'For the outcome `failed`, the part of this service that failed: database, limits, shutdown, capacity or internal',
  },
  request: { type: 'string', description: 'A commitment to the request body' },
  response: { type: 'string', description: 'A commitment to the response body' },
  cache: {
    type: 'string',
    description: '`hit` means that the answer came from the cache and no provider was called',
  },
  content: {
    enum: ['redacted', 'full'],
    description:
      'How the content of the call was captured, outside the record. Absent if it was not captured',
  },
  promptId: { type: 'string', description: 'The id of the stored prompt that was used' },
  promptVersion: { type: 'integer' },
  policies: { type: 'string', description: 'The hash of the set of policies in force' },
  packs: {
    type: 'array',
    description: '`framework@version` of each pack in force',
    items: { type: 'string' },
  },
  event: {
    type: 'string',
    description: 'In a control entry: what happened, as `subject.verb`, such as `signing_key.retire`',
  },
  subject: {
    type: 'string',
    description: 'In a control entry: what the event concerns, such as the thumbprint of a signing key',
  },
  terms: {
    type: 'object',
    description: 'In `price.apply`: the price, in picodollars',
    additionalProperties: true,
  },
  adjusts: {
    type: 'integer',
    description: 'In `receipt.adjust`: the entry whose cost it corrects; `costNanos` is the difference',
  },
  reason: { type: 'string', description: 'In a control entry: the reason' },
  by: { type: 'string', description: 'In a control entry of an operator command: who ran the command' },
}

/**
 * The position of an entry in the record. The writer assigns it from the head that it knows, and the database refuses the entry if another
 * writer has moved that head in the meantime.
 */
export type EntryPosition = Pick<Entry, 'tenant' | 'seq' | 'prev'>

/** A receipt before it has a position in the record. */
export type ReceiptDraft = Omit<Entry, 'v' | keyof EntryPosition>

/** Returns the canonical text of an entry, which is hashed. */
export function writeEntry(draft: ReceiptDraft, position: EntryPosition): string {
  return canonicalize(orderMembers(draft, position))
}

// Every member is listed by name, so that an object with further members, such as the text of a prompt, cannot add them to the record.
// The members are in canonical order, so that the canonicalizer need not sort them. Measured with 5 checks on Node 20: a loop over a
// table of names takes 1.8 times as long, and caching the text of checks between receipts would save 2 of 11 µs.
const orderMembers = (draft: ReceiptDraft, position: EntryPosition) =>
  ({
    adjusts: draft.adjusts,
    agent: draft.agent,
    attempt: draft.attempt,
    batch: draft.batch,
    by: draft.by,
    cache: draft.cache,
    cachedTokens: draft.cachedTokens,
    call: draft.call,
    checks: draft.checks?.map(orderCheck),
    content: draft.content,
    costNanos: draft.costNanos,
    counts: draft.counts && orderCounts(draft.counts),
    event: draft.event,
    fault: draft.fault,
    firstTokenMs: draft.firstTokenMs,
    id: draft.id,
    inputTokens: draft.inputTokens,
    key: draft.key,
    kind: draft.kind,
    latencyMs: draft.latencyMs,
    line: draft.line,
    method: draft.method,
    model: draft.model,
    outcome: draft.outcome,
    outputTokens: draft.outputTokens,
    packs: draft.packs,
    policies: draft.policies,
    prev: position.prev,
    price: draft.price,
    promptId: draft.promptId,
    promptVersion: draft.promptVersion,
    provider: draft.provider,
    reason: draft.reason,
    request: draft.request,
    response: draft.response,
    restore: draft.restore,
    route: draft.route,
    rpcCode: draft.rpcCode,
    seq: position.seq,
    server: draft.server,
    session: draft.session,
    status: draft.status,
    stream: draft.stream,
    subject: draft.subject,
    tags: draft.tags,
    target: draft.target,
    team: draft.team,
    tenant: position.tenant,
    terms: draft.terms,
    tier: draft.tier,
    tool: draft.tool,
    toolError: draft.toolError,
    ts: draft.ts,
    upstream: draft.upstream,
    usage: draft.usage,
    user: draft.user,
    v: entryFormat,
  }) satisfies Record<keyof Entry, unknown>

/** Returns the counts that are not zero. */
const orderCounts = (counts: Counts) =>
  ({
    audioIn: counts.audioIn || undefined,
    audioOut: counts.audioOut || undefined,
    cached: counts.cached || undefined,
    images: counts.images || undefined,
    input: counts.input || undefined,
    output: counts.output || undefined,
    reasoning: counts.reasoning || undefined,
    tools: counts.tools && Object.values(counts.tools).some((uses) => uses > 0) ? counts.tools : undefined,
    written: counts.written || undefined,
    writtenHour: counts.writtenHour || undefined,
  }) satisfies Record<keyof Counts, unknown>

const orderCheck = ({ action, applicable, name, policy, result }: EntryCheck) =>
  ({ action, applicable, name, policy, result }) satisfies Record<keyof EntryCheck, unknown>
