import { type RecordException, readException } from '../../format/exceptions.js'
import { CompactRange } from '../../format/merkle/tree.js'
import type { AcceptedEntry } from '../record-verifier.js'
import type { Fields } from './documents.js'

// Implements docs/reference/record-format.md without using the code that makes attestations, whose mistakes it would repeat.

export interface RecountSpan {
  fromSeq: number
  toSeq: number
  fromTs: string
  toTs: string
  /** When the attestation was made. */
  generatedAt: string
}

export interface RecountResult {
  totals: Record<string, number>
  /** For each check, sorted by name: the number of receipts to which it applied, and of those for which it came to a verdict. */
  coverage: { name: string; applicableReceipts: number; receipts: number }[]
  packs: string[]
  signingKeyIds: string[]
  root: string
  /** Entries that are wrongly inside or outside the period. */
  misplaced: string[]
  /** Entries after the period that were admitted in it; they may have been recorded after the attestation was made. */
  late: string[]
  /** Exceptions that the attestation must list, and those that were recorded when it was made or later, which it may list. */
  exceptions: { due: RecordException[]; later: RecordException[] }
}

// A call is recorded when it ends, or when the database is available again after an outage.
const recordedWithinMs = 86_400_000
// An exception is recorded as it happens. Clocks of replicas differ, and a transaction takes its time.
const toleranceMs = 60_000

/** Counts what the entries of a period add up to, in constant memory. */
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
  readonly #exceptions: RecountResult['exceptions'] = { due: [], later: [] }
  #sealedTo = 0

  constructor(span: RecountSpan) {
    this.#span = span
  }

  addEntry({ fields, leafHash }: AcceptedEntry): void {
    const { fromSeq, toSeq } = this.#span
    const seq = Number(fields.seq)
    this.#checkPlace(seq, String(fields.ts))
    if (fields.kind === 'control') this.#addException(readException(fields))
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

  finish(): RecountResult {
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
      exceptions: this.#exceptions,
    }
  }

  /**
   * Adds an exception that concerns the period: one since its beginning, because each concerns earlier entries, or the exception that a
   * record is made up, which concerns all entries.
   */
  #addException(exception: RecordException | null): void {
    if (exception === null) return
    const { event, ts } = exception
    if (event !== 'demo.fill' && ts < this.#span.fromTs) return
    const isDue = Date.parse(ts) <= Date.parse(this.#span.generatedAt) - toleranceMs
    this.#exceptions[isDue ? 'due' : 'later'].push(exception)
  }

  /** A period begins with the first entry admitted in it and ends before the first that was admitted after its end. */
  #checkPlace(seq: number, ts: string): void {
    const { fromSeq, toSeq, fromTs, toTs } = this.#span
    const isWithin = ts >= fromTs && ts < toTs
    const isLeftOut = fromSeq === 0 ? isWithin : seq === toSeq + 1 && ts < toTs
    const isWrong =
      fromSeq > 0 &&
      ((seq === fromSeq && ts < fromTs) ||
        (seq >= fromSeq && seq <= toSeq && ts >= toTs) ||
        (seq === fromSeq - 1 && isWithin))
    if (isLeftOut && this.#mayBeRecordedLater(ts)) addExample(this.#late, seq, ts)
    else if (isLeftOut || isWrong) addExample(this.#misplaced, seq, ts)
  }

  #mayBeRecordedLater(ts: string): boolean {
    return Date.parse(ts) > Date.parse(this.#span.generatedAt) - recordedWithinMs
  }

  #addChecks(applied: readonly Fields[]): void {
    const isFinished = ({ result }: Fields) => result === 'pass' || result === 'fail'
    if (applied.some((check) => check.policy !== undefined && isFinished(check)))
      this.#totals.policyEvaluated++
    for (const name of new Set(applied.map((check) => String(check.name)))) {
      const counted = this.#coverage.get(name) ?? { applicable: 0, finished: 0 }
      // Several policies of one kind share a name: the check came to a verdict when all of them did.
      const areAllFinished = applied.every((check) => check.name !== name || isFinished(check))
      this.#coverage.set(name, {
        applicable: counted.applicable + 1,
        finished: counted.finished + (areAllFinished ? 1 : 0),
      })
    }
  }
}

const maxExamples = 10

function addExample(list: string[], seq: number, ts: string): void {
  if (list.length < maxExamples) list.push(`entry ${seq} of ${ts}`)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isApplicable = (check: unknown): check is Fields =>
  typeof check === 'object' && check !== null && 'applicable' in check && check.applicable === true
