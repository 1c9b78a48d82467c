import type { PublicJwk } from '../format/public-key.js'
import type { Tally } from './tally.js'
import type { TreeSpanData } from './tree-span.js'

/** A stretch of a record that one thread reads at a time: the entries behind `after`, up to and with `upTo`. */
export interface Part {
  after: number
  upTo: number
}

/** What all parts of one span have in common. */
export interface SpanTask {
  tenant: string
  keys: PublicJwk[]
  /** Where the kept part of the record begins, and the hash that its first entry is chained to, in hex. */
  recordStart: { size: number; prev: string }
  /** The entries that are counted. What is read before and behind them only shows that they are in their place. */
  fromSeq: number
  toSeq: number
  /** The seal over the last counted entry; what newer ones are signed with is of no interest. */
  lastSeal: number
  /** How many seals of a part are checked; the newest always is. */
  mostSeals: number
}

/** Whether a part is in order. Quick, and for a part that is not no more than that. */
export interface PartReport {
  kind: 'check'
  isChained: boolean
  areSealsSigned: boolean
  tally: Tally
  record: TreeSpanData
  period: TreeSpanData
  /** The newest seal of the part, and the tree as far as it reaches: whoever knows what came before compares. */
  newestSeal: { size: number; root: string; record: TreeSpanData } | null
  /** Thumbprints of the keys whose seals are signed. */
  keyIds: string[]
}

/** How far a part that is not in order can be believed. */
export interface TraceReport {
  kind: 'trace'
  /** The last entry before the first that is changed, missing or out of place; `upTo` when none is. */
  verifiedTo: number
  /** The last seal before the first that is wrong; `after` when there is none. */
  sealedTo: number
  areSealsSigned: boolean
  /** Why it ends there; null when the fault is one of a seal alone. */
  fault: string | null
  keyIds: string[]
}

export type PartTask =
  | { kind: 'check'; span: SpanTask; part: Part }
  | { kind: 'trace'; span: SpanTask; part: Part; tree: TreeSpanData }

/** Whoever reads parts, somewhere else. */
export interface PartReader {
  check(span: SpanTask, part: Part): Promise<PartReport>
  /** `tree` is the record up to where the part begins. */
  trace(span: SpanTask, part: Part, tree: TreeSpanData): Promise<TraceReport>
}
