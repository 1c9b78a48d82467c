import { hash } from 'node:crypto'
import {
  createCheckpointVerifiers,
  entryFormat,
  readPublicJwk,
  verifyCheckpoint,
} from '@tallystick/record/format'
import { isPlainObject } from '@tallystick/record/json'
import type { BulkReader } from '../../db/index.js'
import type { Chunk, ChunkReport, SpanTask } from './chunk.js'
import { readRows, readSeals, type StoredRow, type StoredSeal } from './read-chunk.js'
import { type EntryFields, emptyTally, tallyEntry } from './tally.js'
import { TreeSpan, type TreeSpanData } from './tree-span.js'

/**
 * Checks whether a chunk is intact. RecordVerifier also finds the place of a fault and requires canonical form, at three
 * times the cost. Canonical form needs no check here: bytes that fit the chain and the seal are those that the writer
 * wrote. Measured per entry of 1.1 kB: 7 µs to parse, 1.7 to hash, 1 to 2 for the trees, 2 to read.
 */
export async function checkChunk(reader: BulkReader, span: SpanTask, chunk: Chunk): Promise<ChunkReport> {
  const { tenant, maxSeals } = span
  const seals = await readSeals(reader, tenant, chunk, maxSeals)
  const prev = await readLeafBefore(reader, span, chunk)
  const checker = new ChunkChecker(span, chunk, prev, seals.at(-1)?.size ?? null)
  await readRows(reader, tenant, chunk, (row) => checker.add(row))
  const { sealedTree, ...report } = checker.finish()
  const { newest, ...seen } = checkSeals(span, seals)
  const newestSeal = newest && sealedTree && { ...newest, record: sealedTree }
  return { kind: 'check', ...report, ...seen, newestSeal }
}

/** Hash of the entry before the chunk, computed from its text: the hash column could have been changed. */
export async function readLeafBefore(
  reader: BulkReader,
  { tenant, recordStart }: SpanTask,
  { after }: Chunk,
): Promise<string | null> {
  if (after === recordStart.size) return recordStart.prev
  let prev: string | null = null
  await readRows(reader, tenant, { after: after - 1, upTo: after }, ({ leafInput }) => {
    prev = hash('sha256', leafInput, 'hex')
  })
  return prev
}

class ChunkChecker {
  readonly #span: SpanTask
  readonly #upTo: number
  readonly #newestSeal: number | null
  readonly #tally = emptyTally()
  readonly #record: TreeSpan
  readonly #period: TreeSpan
  #sealedTree: TreeSpanData | null = null
  #prev: string | null
  #seq: number

  constructor(span: SpanTask, chunk: Chunk, prev: string | null, newestSeal: number | null) {
    this.#span = span
    this.#upTo = chunk.upTo
    this.#newestSeal = newestSeal
    this.#record = TreeSpan.at(chunk.after)
    this.#period = TreeSpan.at(Math.max(0, chunk.after + 1 - span.fromSeq))
    this.#prev = prev
    this.#seq = chunk.after
  }

  /** Ignores everything after the first fault. */
  add({ leafInput, storedLeaf, hasKey }: StoredRow): void {
    if (this.#prev === null) return
    const fields = parseEntry(leafInput.subarray(1))
    const seq = this.#seq + 1
    const leaf = hash('sha256', leafInput, 'hex')
    const isInPlace =
      fields !== null &&
      fields.v === entryFormat &&
      fields.seq === seq &&
      fields.tenant === this.#span.tenant &&
      fields.prev === this.#prev &&
      storedLeaf.toString('hex') === leaf
    this.#prev = isInPlace ? leaf : null
    if (!isInPlace) return
    this.#seq = seq
    this.#count(seq, fields, storedLeaf.toString('latin1'), hasKey)
  }

  finish(): Pick<ChunkReport, 'isChained' | 'tally' | 'record' | 'period'> & {
    sealedTree: TreeSpanData | null
  } {
    return {
      isChained: this.#prev !== null && this.#seq === this.#upTo,
      tally: this.#tally,
      record: this.#record.toData(),
      period: this.#period.toData(),
      sealedTree: this.#sealedTree,
    }
  }

  #count(seq: number, fields: EntryFields, leaf: string, hasKey: boolean): void {
    const { fromSeq, toSeq } = this.#span
    this.#record.addLeaf(leaf)
    if (seq === this.#newestSeal) this.#sealedTree = this.#record.toData()
    if (seq > toSeq) return
    tallyEntry(this.#tally, fields, hasKey)
    if (fromSeq > 1) this.#period.addLeaf(leaf)
    // For a period from the first entry on, both trees are the same: building one takes 11 µs an entry, two 12.3.
    else if (seq === toSeq || seq === this.#upTo) this.#period.addSpan(this.#record.toData())
  }
}

export function parseEntry(canonical: Buffer): EntryFields | null {
  try {
    const value: unknown = JSON.parse(canonical.toString())
    return typeof value === 'object' && value !== null && isPlainObject(value) ? value : null
  } catch {
    return null
  }
}

function checkSeals(
  { tenant, keys, lastSeal }: SpanTask,
  seals: readonly StoredSeal[],
): Pick<ChunkReport, 'areSealsSigned' | 'keyIds'> & { newest: { size: number; root: string } | null } {
  const verifiers = createCheckpointVerifiers(tenant, keys.map(readPublicJwk))
  const keyIds = new Set<string>()
  let newest: { size: number; root: string } | null = null
  for (const seal of seals) {
    const root = readSignedRoot(seal, tenant, verifiers)
    if (root === null) return { areSealsSigned: false, keyIds: [...keyIds], newest: null }
    if (seal.size <= lastSeal) keyIds.add(seal.keyId)
    newest = { size: seal.size, root: root.toString('hex') }
  }
  return { areSealsSigned: true, keyIds: [...keyIds], newest }
}

/** The root in a seal; null when the key or the size differ from its columns, or the signature does not verify. */
export function readSignedRoot(
  { size, keyId, note }: StoredSeal,
  tenant: string,
  verifiers: ReturnType<typeof createCheckpointVerifiers>,
): Buffer | null {
  const verdict = verifyCheckpoint(note, tenant, verifiers)
  const isValid = verdict.ok && verdict.checkpoint.size === size && verdict.keyIds.includes(keyId)
  return isValid ? verdict.checkpoint.root : null
}
