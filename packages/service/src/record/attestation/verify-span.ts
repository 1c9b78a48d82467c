import { emptyRoot } from '@tallystick/record/format'
import type { Db } from '../../db/index.js'
import type { Chunk, ChunkReport, ChunkVerifier } from './chunk.js'
import type { TimeSpan } from './period-bounds.js'
import { planSpan, type SpanBounds, type SpanPlan } from './plan-span.js'
import { addTally, emptyTally, type Tally } from './tally.js'
import { TreeSpan } from './tree-span.js'

/** What the entries of a period add up to, read from their bytes. Counts end at the first fault. */
export interface VerifiedSpan {
  /** Both 0 when the period has no entries. */
  fromSeq: number
  toSeq: number
  /** Entries that are unchanged, in the right place and chained. */
  chained: number
  /** Those among them that a verified seal covers. */
  sealed: number
  /** Why `chained` is less than the whole period. */
  fault: string | null
  keyIds: string[]
  tally: Tally
  /** The tree over the verified entries of the period alone. */
  root: Buffer
}

export interface VerifySpanOptions extends SpanBounds {
  db: Db
  reader: ChunkVerifier
  /** How many chunks are read at the same time. */
  threads: number
  /** Called when the span is known, and after each chunk. */
  onProgress?: ((progress: SpanProgress) => void) | undefined
}

/** In entries of the period. */
export interface SpanProgress {
  done: number
  total: number
}

/** Parts are read in parallel and joined in order. The event loop only handles their reports. */
export async function verifySpan(
  { db, reader, threads, onProgress, ...bounds }: VerifySpanOptions,
  tenant: string,
  time: TimeSpan,
  signal: AbortSignal,
): Promise<VerifiedSpan> {
  const plan = await planSpan(db, tenant, time, bounds)
  if (plan === null) return emptySpan()
  const { fromSeq, toSeq } = plan.task
  const total = toSeq - fromSeq + 1
  onProgress?.({ done: 0, total })
  const assembly = new Assembly(plan, reader)
  const underWay: Promise<ChunkReport>[] = []
  let next = 0
  for (const chunk of plan.chunks) {
    // One more than there are threads, so that no thread is idle while a report is being joined.
    for (; next < plan.chunks.length && underWay.length <= threads; next++)
      underWay.push(start(reader, plan, plan.chunks[next] ?? chunk))
    const report = await underWay.shift()
    signal.throwIfAborted()
    if (report && !(await assembly.add(chunk, report))) break
    onProgress?.({ done: Math.min(chunk.upTo - fromSeq + 1, total), total })
  }
  return assembly.finish()
}

function start(reader: ChunkVerifier, { task }: SpanPlan, chunk: Chunk): Promise<ChunkReport> {
  const report = reader.check(task, chunk)
  // Awaited when its turn comes, which never happens if an earlier chunk fails.
  report.catch(() => undefined)
  return report
}

const emptySpan = (): VerifiedSpan => ({
  fromSeq: 0,
  toSeq: 0,
  chained: 0,
  sealed: 0,
  fault: null,
  keyIds: [],
  tally: emptyTally(),
  root: emptyRoot(),
})

/** What is verified of the record up to an entry. */
interface Progress {
  upTo: number
  sealedTo: number
  record: TreeSpan
  period: TreeSpan
  tally: Tally
  keyIds: ReadonlySet<string>
}

/** Joins the reports of chunks. When one reports a fault, it has the place found and stops there. */
class Assembly {
  readonly #plan: SpanPlan
  readonly #reader: ChunkVerifier
  #progress: Progress
  /** The progress before the last chunk: only the next chunk shows whether the last entry of a chunk was changed. */
  #previous: Progress
  #areSealsGood = true
  #fault: string | null = null

  constructor(plan: SpanPlan, reader: ChunkVerifier) {
    const upTo = plan.task.fromSeq - 1
    this.#plan = plan
    this.#reader = reader
    this.#progress = {
      upTo,
      sealedTo: upTo,
      record: plan.tree,
      period: TreeSpan.at(0),
      tally: emptyTally(),
      keyIds: new Set(),
    }
    this.#previous = this.#progress
  }

  /** False when no later chunk can be verified. */
  async add(chunk: Chunk, report: ChunkReport): Promise<boolean> {
    const { isChained, areSealsSigned, newestSeal, keyIds } = report
    const isSealed = newestSeal === null || this.#matches(newestSeal)
    const hasNewBadSeal = !areSealsSigned && this.#areSealsGood
    if (!isChained || !isSealed || hasNewBadSeal) return await this.#findFault(chunk)
    const sealedTo = newestSeal?.size ?? this.#progress.sealedTo
    this.#advance(this.#progress, chunk.upTo, { sealedTo, keyIds }, report)
    return true
  }

  finish(): VerifiedSpan {
    const { fromSeq, toSeq: plannedEnd } = this.#plan.task
    const { upTo, sealedTo, keyIds, tally, period } = this.#progress
    // A changed entry may claim to be after the period although it was in it.
    const toSeq = this.#fault !== null && upTo === plannedEnd ? plannedEnd + 1 : plannedEnd
    const countTo = (seq: number) => Math.min(seq, toSeq) - fromSeq + 1
    return {
      fromSeq,
      toSeq,
      chained: countTo(upTo),
      sealed: countTo(Math.min(sealedTo, upTo)),
      fault: upTo < toSeq ? this.#fault : null,
      keyIds: [...keyIds].sort(),
      tally,
      root: period.root(),
    }
  }

  #matches({ root, record }: NonNullable<ChunkReport['newestSeal']>): boolean {
    const tree = this.#progress.record.copy()
    tree.addSpan(record)
    return tree.root().toString('hex') === root
  }

  async #findFault({ upTo }: Chunk): Promise<boolean> {
    const { task } = this.#plan
    const from = this.#previous
    const after = from.upTo
    const trace = await this.#reader.trace(task, { after, upTo }, from.record.toData())
    const report = await this.#reader.check(task, { after, upTo: trace.verifiedTo })
    const sealedTo = trace.sealedTo > from.upTo ? trace.sealedTo : from.sealedTo
    this.#advance(from, trace.verifiedTo, { sealedTo, keyIds: trace.keyIds }, report)
    this.#areSealsGood &&= trace.areSealsSigned
    this.#fault = trace.fault
    return trace.fault === null
  }

  /** Seals after the first bad one are not counted. */
  #advance(
    from: Progress,
    upTo: number,
    seals: { sealedTo: number; keyIds: readonly string[] },
    report: ChunkReport,
  ): void {
    const record = from.record.copy()
    record.addSpan(report.record)
    const period = from.period.copy()
    if (from.upTo < this.#plan.task.toSeq) period.addSpan(report.period)
    const tally = emptyTally()
    addTally(tally, from.tally)
    addTally(tally, report.tally)
    const { sealedTo, keyIds } = this.#areSealsGood ? seals : { sealedTo: from.sealedTo, keyIds: [] }
    this.#previous = from
    this.#progress = { upTo, sealedTo, record, period, tally, keyIds: new Set([...from.keyIds, ...keyIds]) }
  }
}
