import { canonicalize } from '../json/index.js'
import type { Counts, Price } from '../pricing/index.js'
import type { RestoreDetails } from './exceptions.js'

// A fact in the receipt is declared here: its type in `Entry`, its place among the hashed bytes in `orderMembers`. The
// compiler refuses one without the other. The database, the export and the verifier take the text as it is.
//
// An absent field is left out, never null; every number is a safe integer. No prompt text has a place here: `request`
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
 * How a call ended. `blocked` and `redacted` are decisions of rules. `aborted`: the caller hung up, or may no longer call.
 * `interrupted`: our process died, and the cost is what was reserved. `failed`: this service could not carry the call out.
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

/** The part of this service that failed, as errors name it. */
export type EntryFault = 'database' | 'limits' | 'shutdown' | 'capacity' | 'internal'

/** Where the counts of a receipt come from: the provider; our own count of what was sent; what was reserved. */
export type UsageSource = 'provider' | 'counted' | 'reserved'

/** The only format so far. */
export const entryFormat = 2

export interface Entry {
  /** The format. */
  v: typeof entryFormat
  tenant: string
  /** From 1, without gaps. */
  seq: number
  /** Leaf hash of the previous entry, in hex. */
  prev: string
  /** Of the call, or of the attempt where it is not the first. */
  id: string
  /** Of a further attempt: the id of the call, and which attempt it was. */
  call?: string
  attempt?: number
  /** Of a line of a batch: the id of the batch, and which line of its file it was, from 1. */
  batch?: string
  line?: number
  /** UTC with milliseconds: 2026-11-15T01:02:03.004Z */
  ts: string
  kind: EntryKind
  key?: string
  user?: string
  team?: string
  /** What the caller says that it belongs to, e.g. the run of an agent. */
  session?: string
  /** The program that made the call, where it is a coding agent that is known. */
  agent?: string
  /** What the caller filed it under. */
  tags?: Readonly<Record<string, string>>
  /** The route that chose the model. */
  route?: string
  provider?: string
  /** The model that was asked for. */
  model?: string
  /** The provider's own name of the model, where `model` is an alias of it. */
  target?: string
  /** The model that answered. */
  upstream?: string
  /** Of a call of kind `tool`: the name of the server, and of its tool; the URI of a resource, the name of a prompt. */
  server?: string
  tool?: string
  /** Of a call of kind `tool`, where it is not `tools/call`. */
  method?: string
  /** The tool itself said that it failed (`isError`). The protocol worked: the outcome is no error. */
  toolError?: true
  /** The code of the protocol error that the server answered with. */
  rpcCode?: number
  inputTokens?: number
  outputTokens?: number
  cachedTokens?: number
  /** Signed in an entry that adjusts another. */
  costNanos?: number
  /** What was used, by kind, as it was priced. */
  counts?: Counts
  usage?: UsageSource
  /** Where it is not the standard one. */
  tier?: string
  /** Hash of the price that applied. The price itself is a control entry of the record. */
  price?: string
  latencyMs?: number
  firstTokenMs?: number
  stream?: boolean
  status?: number
  outcome?: EntryOutcome
  /** Of a call with the outcome `failed`: the part of this service that failed. */
  fault?: EntryFault
  /** HMAC-SHA-256 of the body under a key of this receipt alone, which is stored beside the record. */
  request?: string
  response?: string
  /** The answer was taken from the cache: no provider was asked. */
  cache?: 'hit'
  /** How the content of the call was captured; absent where it was not. */
  content?: 'redacted' | 'full'
  /** The stored prompt that was rendered into the call, and which version of it. */
  promptId?: string
  promptVersion?: number
  /** Hash of the policy set in force. */
  policies?: string
  checks?: EntryCheck[]
  /** `framework@version` of each pack in force. */
  packs?: string[]
  /** Of a control entry: what happened, as `subject.verb`, e.g. `signing_key.retire`. */
  event?: string
  /** Of a control entry: what it happened to, e.g. the thumbprint of a signing key. */
  subject?: string
  /** Of a control entry `price.apply`: the price. */
  terms?: Price
  /** Of a control entry `receipt.adjust`: the number of the entry whose cost it corrects, and why. */
  adjusts?: number
  reason?: string
  /** Of a control entry by a command of the operator: who ran it. */
  by?: string
  /** Of a control entry `record.restore`: what was sealed before, and what is missing. */
  restore?: RestoreDetails
}

/** Where an entry stands in the record. The writer decides it, under the lock on the record's head. */
export type EntryPosition = Pick<Entry, 'tenant' | 'seq' | 'prev'>

/** A receipt before it has a place in the record. */
export type ReceiptDraft = Omit<Entry, 'v' | keyof EntryPosition>

/** The canonical text of an entry: the bytes that are hashed. */
export function writeEntry(draft: ReceiptDraft, place: EntryPosition): string {
  return canonicalize(orderMembers(draft, place))
}

// Every member by name, so that one that is no field of an entry, such as a prompt carried along by mistake, cannot get
// into the record. In canonical order, so that the canonicaliser has nothing to sort: measured with 5 checks, Node 20,
// a loop over a table of names takes 1.8 times as long. Keeping the text of check lines from one receipt to the next
// would save 2 of 11 µs.
const orderMembers = (draft: ReceiptDraft, place: EntryPosition) =>
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
    prev: place.prev,
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
    seq: place.seq,
    server: draft.server,
    session: draft.session,
    status: draft.status,
    stream: draft.stream,
    subject: draft.subject,
    tags: draft.tags,
    target: draft.target,
    team: draft.team,
    tenant: place.tenant,
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

/** Without those that are zero. */
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
