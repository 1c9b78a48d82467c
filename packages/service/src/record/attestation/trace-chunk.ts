import {
  type CompactRange,
  createCheckpointVerifiers,
  HASH_BYTES,
  leafHash,
  readPublicJwk,
} from '@tallystick/record/format'
import { RecordVerifier } from '@tallystick/record/verify'
import type { BulkReader } from '../../db/index.js'
import { parseEntry, readLeafBefore, readSignedRoot } from './check-chunk.js'
import type { Chunk, SpanTask, TraceReport } from './chunk.js'
import { readRows, readSeals, type StoredRow, type StoredSeal } from './read-chunk.js'
import { TreeSpan, type TreeSpanData } from './tree-span.js'

/** Finds the place of a fault, entry by entry and seal by seal. `tree` covers the record before the chunk. */
export async function traceChunk(
  reader: BulkReader,
  span: SpanTask,
  chunk: Chunk,
  tree: TreeSpanData,
): Promise<TraceReport> {
  const prev = await readLeafBefore(reader, span, chunk)
  if (prev === null)
    return {
      kind: 'trace',
      verifiedTo: chunk.after,
      sealedTo: chunk.after,
      areSealsSigned: true,
      fault: `Entry ${chunk.after} is missing`,
      keyIds: [],
    }
  const seals = await readSeals(reader, span.tenant, chunk, Number.MAX_SAFE_INTEGER)
  const tracer = new Tracer(span, chunk, { prev, tree }, seals)
  // Reads one entry more: when two entries do not fit together, the one that the next is chained to is right.
  await readRows(reader, span.tenant, { ...chunk, upTo: chunk.upTo + 1 }, (row) => tracer.add(row))
  return tracer.finish()
}

class Tracer {
  readonly #span: SpanTask
  readonly #chunk: Chunk
  readonly #seals: StoredSeal[]
  readonly #verifiers: ReturnType<typeof createCheckpointVerifiers>
  readonly #verifier: RecordVerifier
  // Bounded: signing keys of one span.
  readonly #keyIds = new Set<string>()
  /** All entries but the last one. */
  readonly #tree: CompactRange
  #lastLeaf: Buffer | null = null
  #sealedTo: number
  #areSealsSigned = true
  #columnFault: string | null = null
  /** The root of a seal that does not match, until the next entry shows whether only the last one before it is wrong. */
  #unmatchedRoot: Buffer | null = null
  #isOnlyLastWrong = false

  constructor(
    span: SpanTask,
    chunk: Chunk,
    start: { prev: string; tree: TreeSpanData },
    seals: StoredSeal[],
  ) {
    const { tenant, keys } = span
    const prev = Buffer.from(start.prev, 'hex')
    this.#span = span
    this.#chunk = chunk
    this.#seals = seals.toReversed()
    this.#verifiers = createCheckpointVerifiers(tenant, keys.map(readPublicJwk))
    this.#tree = TreeSpan.fromData(start.tree).toRange()
    this.#verifier = new RecordVerifier({ tenant, keys, start: { prev, range: this.#tree } })
    this.#sealedTo = chunk.after
  }

  add({ leafInput, storedLeaf }: StoredRow): void {
    const canonical = leafInput.subarray(1)
    if (this.#unmatchedRoot !== null) this.#checkLastEntry(canonical, this.#unmatchedRoot)
    if (this.#columnFault !== null || this.#verifier.fault !== null) return
    const seq = this.#verifier.size + 1
    const leaf = leafHash(canonical)
    if (!leaf.equals(storedLeaf)) {
      this.#columnFault = `Entry ${seq} does not match its stored leaf hash`
      return
    }
    if (this.#verifier.addEntry({ seq, canonical }) !== null) {
      if (this.#lastLeaf !== null) this.#tree.append(this.#lastLeaf)
      this.#lastLeaf = leaf
    }
    for (let seal = this.#seals.at(-1); seal && seal.size <= seq; seal = this.#seals.at(-1)) {
      this.#seals.pop()
      this.#addSeal(seal)
    }
  }

  /** A seal with a bad signature says nothing about the chain, so the verifier does not get it. */
  #addSeal(seal: StoredSeal): void {
    const root = readSignedRoot(seal, this.#span.tenant, this.#verifiers)
    if (root === null) {
      this.#areSealsSigned = false
      return
    }
    this.#verifier.addSeal(seal)
    const { fault } = this.#verifier
    if (fault?.kind === 'bad_root') this.#unmatchedRoot = root
    if (fault !== null || !this.#areSealsSigned) return
    this.#sealedTo = seal.size
    if (seal.size <= this.#span.lastSeal) this.#keyIds.add(seal.keyId)
  }

  /** Only the last entry is wrong if the seal matches with the hash that the next entry is chained to. */
  #checkLastEntry(next: Buffer, root: Buffer): void {
    const claimed = Buffer.from(String(parseEntry(next)?.prev), 'hex')
    this.#unmatchedRoot = null
    if (claimed.length !== HASH_BYTES) return
    this.#tree.append(claimed)
    this.#isOnlyLastWrong = this.#tree.root().equals(root)
  }

  finish(): TraceReport {
    const { fault } = this.#verifier.finish()
    const sealedTo = this.#sealedTo
    const keyIds = [...this.#keyIds]
    const seals = { kind: 'trace' as const, sealedTo, areSealsSigned: this.#areSealsSigned, keyIds }
    if (fault?.kind === 'bad_root') {
      // The chain holds, but another one was sealed: nothing after the last matching seal is verified.
      const verifiedTo = this.#isOnlyLastWrong ? this.#verifier.size - 1 : sealedTo
      return { ...seals, verifiedTo, fault: fault.message }
    }
    const { upTo } = this.#chunk
    const { size } = this.#verifier
    // A fault in the additional entry is reported with its own chunk.
    if (size >= upTo) return { ...seals, verifiedTo: upTo, fault: null }
    const message = fault?.message ?? this.#columnFault ?? `Entry ${size + 1} is missing`
    return { ...seals, verifiedTo: size, fault: message }
  }
}
