import { hash } from 'node:crypto'
import { type ReceiptDraft, writeEntry } from './entry.js'
import { CompactRange, leafHash, type StoredNode } from './merkle/tree.js'

/** Where a record ends. Its size is the size of the range. */
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

// Includes the tenant, so that the start of one record cannot be passed off as the start of another.
export function genesisPrev(tenant: string): Buffer {
  return hash('sha256', `tallystick/genesis/1\n${tenant}\n`, 'buffer')
}

export function genesisHead(tenant: string): RecordHead {
  return { tenant, prev: genesisPrev(tenant), range: CompactRange.empty() }
}

/** Does not change the given head: a transaction that fails starts again from it. */
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
