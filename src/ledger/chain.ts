import { hash } from 'node:crypto'
import { canonicalize } from './canonical.js'
import type { Entry, ReceiptDraft } from './entry.js'
import { CompactRange, leafHash, type StoredNode } from './tree.js'

/** Where a record ends. Its size is that of the range. */
export interface RecordHead {
  tenant: string
  /** Leaf hash of the last entry, or the genesis hash. */
  prev: Buffer
  range: CompactRange
}

export interface ChainedEntry {
  seq: number
  id: string
  ts: string
  canonical: string
  leafHash: Buffer
}

export interface ChainedGroup {
  head: RecordHead
  entries: ChainedEntry[]
  nodes: StoredNode[]
}

// Bound to the tenant, so that the start of one record cannot be passed off as the start of another.
export function genesisPrev(tenant: string): Buffer {
  return hash('sha256', `tallystick/genesis/1\n${tenant}\n`, 'buffer')
}

export function genesisHead(tenant: string): RecordHead {
  return { tenant, prev: genesisPrev(tenant), range: CompactRange.empty() }
}

/** The given head stays as it is: a transaction that fails starts again from it. */
export function chainEntries(head: RecordHead, drafts: readonly ReceiptDraft[]): ChainedGroup {
  const { tenant } = head
  const range = head.range.copy()
  const entries: ChainedEntry[] = []
  const nodes: StoredNode[] = []
  let prev = head.prev
  for (const draft of drafts) {
    const seq = range.size + 1
    const canonical = writeEntry(draft, { tenant, seq, prev: prev.toString('hex') })
    prev = leafHash(canonical)
    nodes.push(...range.append(prev))
    entries.push({ seq, id: draft.id, ts: draft.ts, canonical, leafHash: prev })
  }
  return { head: { tenant, prev, range }, entries, nodes }
}

// Every field by name, in canonical order. The canonicaliser then has nothing to sort (half the time), and a member
// that is no field of an entry, such as a prompt carried along by mistake, cannot slip into the record.
function writeEntry(draft: ReceiptDraft, place: Pick<Entry, 'tenant' | 'seq' | 'prev'>): string {
  return canonicalize({
    cachedTokens: draft.cachedTokens,
    checks: draft.checks?.map(({ action, applicable, name, policy, result }) => ({
      action,
      applicable,
      name,
      policy,
      result,
    })),
    costMicros: draft.costMicros,
    event: draft.event,
    firstTokenMs: draft.firstTokenMs,
    id: draft.id,
    inputTokens: draft.inputTokens,
    key: draft.key,
    kind: draft.kind,
    latencyMs: draft.latencyMs,
    model: draft.model,
    outcome: draft.outcome,
    outputTokens: draft.outputTokens,
    packs: draft.packs,
    policies: draft.policies,
    prev: place.prev,
    promptId: draft.promptId,
    promptVersion: draft.promptVersion,
    provider: draft.provider,
    request: draft.request,
    response: draft.response,
    seq: place.seq,
    status: draft.status,
    stream: draft.stream,
    subject: draft.subject,
    team: draft.team,
    tenant: place.tenant,
    ts: draft.ts,
    upstream: draft.upstream,
    user: draft.user,
    v: 1,
  } satisfies Record<keyof Entry, unknown>)
}
