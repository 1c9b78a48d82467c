import type { PublicJwk } from '@tallystick/record/format'
import type { Tally } from './tally.js'
import type { TreeSpanData } from './tree-span.js'

/** Entries that one thread reads at a time: those after number `after`, up to and including `upTo`. */
export interface Chunk {
  after: number
  upTo: number
}

/** What all chunks of one span have in common. */
export interface SpanTask {
  tenant: string
  keys: PublicJwk[]
  /** How many entries were dropped, and the hash that the first kept entry is chained to, in hex. */
  recordStart: { size: number; prev: string }
  /** The entries that are counted. Those read before and after them only confirm where the period begins and ends. */
  fromSeq: number
  toSeq: number
  /** Size of the seal over the last counted entry. The keys of newer seals are not reported. */
  lastSeal: number
  /** At most this many seals of a chunk are checked; the newest always is. */
  maxSeals: number
}

/** Whether a chunk is intact. Fast, but does not say where a fault is. */
export interface ChunkReport {
  kind: 'check'
  isChained: boolean
  areSealsSigned: boolean
  tally: Tally
  record: TreeSpanData
  period: TreeSpanData
  /** The newest seal of the chunk, and the tree up to it: compared once the tree before the chunk is known. */
  newestSeal: { size: number; root: string; record: TreeSpanData } | null
  /** Thumbprints of the keys whose seals are signed. */
  keyIds: string[]
}

/** How far a chunk with a fault is intact. */
export interface TraceReport {
  kind: 'trace'
  /** The last entry before the first that is changed, missing or in the wrong place; `upTo` when there is none. */
  verifiedTo: number
  /** The last seal before the first that is wrong; `after` when there is none. */
  sealedTo: number
  areSealsSigned: boolean
  /** Null when only a seal is wrong. */
  fault: string | null
  keyIds: string[]
}

export type ChunkTask =
  | { kind: 'check'; span: SpanTask; chunk: Chunk }
  | { kind: 'trace'; span: SpanTask; chunk: Chunk; tree: TreeSpanData }

/** Checks chunks in worker threads. */
export interface ChunkVerifier {
  check(span: SpanTask, chunk: Chunk): Promise<ChunkReport>
  /** `tree` is the record up to where the chunk begins. */
  trace(span: SpanTask, chunk: Chunk, tree: TreeSpanData): Promise<TraceReport>
}
