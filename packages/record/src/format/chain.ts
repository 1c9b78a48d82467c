import { hash } from 'node:crypto'
import { type ReceiptDraft, writeEntry } from './entry.js'
import { CompactRange, leafHash, type StoredNode } from './merkle/tree.js'

/** The end of a record. The size of the record is the size of the range. */
export interface RecordHead {
  tenant: string
  /** The leaf hash of the last entry, or the genesis hash when there is none. */
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

/** The genesis hash includes the tenant, so that the start of one record cannot be presented as the start of another. */
export function genesisPrev(tenant: string): Buffer {
  return hash('sha256', `tallystick/genesis/1\n${tenant}\n`, 'buffer')
}

export function genesisHead(tenant: string): RecordHead {
  return { tenant, prev: genesisPrev(tenant), range: CompactRange.empty() }
}

/** Appends entries and returns the new head. The given head does not change, because a failed transaction starts again from it. */
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
