// The fields of a receipt, as they are hashed. An absent field is left out, never null; every number is a safe
// integer. No prompt text has a place here: `request` and `response` are commitments.

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

/** `aborted`: the caller hung up. `interrupted`: our process died, and the cost is what was reserved. */
export type EntryOutcome = 'ok' | 'blocked' | 'redacted' | 'upstream_error' | 'aborted' | 'interrupted'

export interface Entry {
  v: 1
  tenant: string
  /** From 1, without gaps. */
  seq: number
  /** Leaf hash of the entry before, in hex. */
  prev: string
  /** The request's id. */
  id: string
  /** UTC with milliseconds: 2026-11-15T01:02:03.004Z */
  ts: string
  kind: EntryKind
  key?: string
  user?: string
  team?: string
  provider?: string
  /** What was asked for. */
  model?: string
  /** What answered. */
  upstream?: string
  inputTokens?: number
  outputTokens?: number
  cachedTokens?: number
  costMicros?: number
  latencyMs?: number
  firstTokenMs?: number
  stream?: boolean
  status?: number
  outcome?: EntryOutcome
  /** HMAC-SHA-256 of the body under a key of this receipt alone, which is stored beside the record. */
  request?: string
  response?: string
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
}

/** What a caller knows of a receipt before it has a place in the record. */
export type ReceiptDraft = Omit<Entry, 'v' | 'tenant' | 'seq' | 'prev'>
