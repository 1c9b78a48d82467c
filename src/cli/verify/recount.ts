import { CompactRange } from '../../ledger/format/tree.js'
import type { AcceptedEntry } from '../../ledger/verify/record-verifier.js'
import type { Fields } from './documents.js'

// Counted here on its own, from the words of the format page, and not with the code that made the attestation: whoever
// checks a sum must not repeat its mistakes.

export interface RecountSpan {
  fromSeq: number
  toSeq: number
  fromTs: string
  toTs: string
  /** When it was attested. */
  generatedAt: string
}

export interface Recounted {
  totals: Record<string, number>
  /** By name, sorted: in how many receipts the check applied, and in how many it came to a verdict. */
  coverage: { name: string; applicableReceipts: number; receipts: number }[]
  packs: string[]
  signingKeyIds: string[]
  root: string
  /** Entries that the rule of the period would place elsewhere. */
  misplaced: string[]
  /** Entries behind the period that were admitted in it, so shortly before it was attested that they may have come later. */
  late: string[]
}

// A call is recorded when it ends, or when a database that was away is back.
const recordedWithinMs = 86_400_000

/** Adds up a period, entry by entry, in constant memory. */
export class Recount {
  readonly #span: RecountSpan
  readonly #tree = CompactRange.empty()
  readonly #coverage = new Map<string, { applicable: number; finished: number }>()
  readonly #packs = new Set<string>()
  readonly #keyIds = new Set<string>()
  readonly #totals = {
    receipts: 0,
    modelReceipts: 0,
    toolReceipts: 0,
    policyEvaluated: 0,
    enforcementActions: 0,
    upstreamFailures: 0,
  }
  readonly #misplaced: string[] = []
  readonly #late: string[] = []
  #sealedTo = 0

  constructor(span: RecountSpan) {
    this.#span = span
  }

  addEntry({ fields, leafHash }: AcceptedEntry): void {
    const { fromSeq, toSeq } = this.#span
    const seq = Number(fields.seq)
    this.#checkPlace(seq, String(fields.ts))
    if (seq < fromSeq || seq > toSeq) return
    this.#tree.append(leafHash)
    this.#totals.receipts++
    if (fields.kind === 'model') this.#totals.modelReceipts++
    if (fields.kind === 'tool') this.#totals.toolReceipts++
    if (fields.outcome === 'blocked' || fields.outcome === 'redacted') this.#totals.enforcementActions++
    if (fields.outcome === 'upstream_error') this.#totals.upstreamFailures++
    for (const pack of listOf(fields.packs)) this.#packs.add(String(pack))
    this.#addChecks(listOf(fields.checks).filter(isApplicable))
  }

  /** The keys of a period are those whose seals cover its entries, up to the first seal that covers the last one. */
  addSeal({ size, keyIds }: { size: number; keyIds: readonly string[] }): void {
    const { fromSeq, toSeq } = this.#span
    if (size < fromSeq || this.#sealedTo >= toSeq) return
    this.#sealedTo = size
    for (const id of keyIds) this.#keyIds.add(id)
  }

  finish(): Recounted {
    return {
      totals: this.#totals,
      coverage: [...this.#coverage]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, { applicable, finished }]) => ({
          name,
          applicableReceipts: applicable,
          receipts: finished,
        })),
      packs: [...this.#packs].sort(),
      signingKeyIds: [...this.#keyIds].sort(),
      root: this.#tree.root().toString('hex'),
      misplaced: this.#misplaced,
      late: this.#late,
    }
  }

  /** A period begins with the first entry admitted in it and ends before the first that was admitted after it. */
  #checkPlace(seq: number, ts: string): void {
    const { fromSeq, toSeq, fromTs, toTs } = this.#span
    const isWithin = ts >= fromTs && ts < toTs
    const isLeftOut = fromSeq === 0 ? isWithin : seq === toSeq + 1 && ts < toTs
    const isWrong =
      fromSeq > 0 &&
      ((seq === fromSeq && ts < fromTs) ||
        (seq >= fromSeq && seq <= toSeq && ts >= toTs) ||
        (seq === fromSeq - 1 && isWithin))
    if (isLeftOut && this.#mayBeLater(ts)) note(this.#late, seq, ts)
    else if (isLeftOut || isWrong) note(this.#misplaced, seq, ts)
  }

  #mayBeLater(ts: string): boolean {
    return Date.parse(ts) > Date.parse(this.#span.generatedAt) - recordedWithinMs
  }

  #addChecks(applied: readonly Fields[]): void {
    const isFinished = ({ result }: Fields) => result === 'pass' || result === 'fail'
    if (applied.some((check) => check.policy !== undefined && isFinished(check)))
      this.#totals.policyEvaluated++
    for (const name of new Set(applied.map((check) => String(check.name)))) {
      const counted = this.#coverage.get(name) ?? { applicable: 0, finished: 0 }
      // Several policies of one kind share a name: it came to a verdict when all of them did.
      const isWhole = applied.every((check) => check.name !== name || isFinished(check))
      this.#coverage.set(name, {
        applicable: counted.applicable + 1,
        finished: counted.finished + (isWhole ? 1 : 0),
      })
    }
  }
}

function note(list: string[], seq: number, ts: string): void {
  if (list.length < 10) list.push(`entry ${seq} of ${ts}`)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isApplicable = (check: unknown): check is Fields =>
  typeof check === 'object' && check !== null && 'applicable' in check && check.applicable === true
