import type { Db } from '../../db/index.js'
import { emptyRoot } from '../format/tree.js'
import type { Part, PartReader, PartReport } from './part.js'
import type { TimeSpan } from './period-bounds.js'
import { planSpan, type SpanPlan } from './plan-span.js'
import { addTally, emptyTally, type Tally } from './tally.js'
import { TreeSpan } from './tree-span.js'

/** What a period's entries say, read anew from their bytes. Counts reach up to the first fault. */
export interface VerifiedSpan {
  /** Both 0 when the period has no entries. */
  fromSeq: number
  toSeq: number
  /** Entries that are unaltered, in their place and chained. */
  chained: number
  /** Those among them that a seal covers which verifies. */
  sealed: number
  /** Why `chained` is not all of them. */
  fault: string | null
  keyIds: string[]
  tally: Tally
  /** The tree over the verified entries of the period alone. */
  root: Buffer
}

export interface VerifySpanOptions {
  db: Db
  reader: PartReader
  /** How many parts are read at the same time. */
  threads: number
  /** How long a part is; left out but by tests. */
  partEntries?: number | undefined
}

/** Parts are read side by side and put together in order. The event loop only ever sees their reports. */
export async function verifySpan(
  { db, reader, threads, partEntries }: VerifySpanOptions,
  tenant: string,
  time: TimeSpan,
  signal: AbortSignal,
): Promise<VerifiedSpan> {
  const plan = await planSpan(db, tenant, time, partEntries)
  if (plan === null) return emptySpan()
  const assembly = new Assembly(plan, reader)
  const underWay: Promise<PartReport>[] = []
  let next = 0
  for (const part of plan.parts) {
    // One more than there are threads: a thread must not rest while the reports before its next part are awaited.
    for (; next < plan.parts.length && underWay.length <= threads; next++)
      underWay.push(start(reader, plan, plan.parts[next] ?? part))
    const report = await underWay.shift()
    signal.throwIfAborted()
    if (report && !(await assembly.add(part, report))) break
  }
  return assembly.finish()
}

function start(reader: PartReader, { task }: SpanPlan, part: Part): Promise<PartReport> {
  const report = reader.check(task, part)
  // Heard of when its turn comes; which it may never do once another has failed.
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

/** What is known of the record up to a place. */
interface Standing {
  upTo: number
  sealedTo: number
  record: TreeSpan
  period: TreeSpan
  tally: Tally
  keyIds: ReadonlySet<string>
}

/** Puts reports together. Where one is not in order, it has the place looked for and goes no further than that. */
class Assembly {
  readonly #plan: SpanPlan
  readonly #reader: PartReader
  #standing: Standing
  /** As it was before the last part. Whether a part's last entry was changed only shows in the next one. */
  #earlier: Standing
  #areSealsGood = true
  #fault: string | null = null

  constructor(plan: SpanPlan, reader: PartReader) {
    const upTo = plan.task.fromSeq - 1
    this.#plan = plan
    this.#reader = reader
    this.#standing = {
      upTo,
      sealedTo: upTo,
      record: plan.tree,
      period: TreeSpan.at(0),
      tally: emptyTally(),
      keyIds: new Set(),
    }
    this.#earlier = this.#standing
  }

  /** False when nothing that comes later can be believed. */
  async add(part: Part, report: PartReport): Promise<boolean> {
    const { isChained, areSealsSigned, newestSeal, keyIds } = report
    const isSealed = newestSeal === null || this.#fits(newestSeal)
    const isAsGood = areSealsSigned || !this.#areSealsGood
    if (!isChained || !isSealed || !isAsGood) return await this.#lookCloser(part)
    const sealedTo = newestSeal?.size ?? this.#standing.sealedTo
    this.#move(this.#standing, part.upTo, { sealedTo, keyIds }, report)
    return true
  }

  finish(): VerifiedSpan {
    const { fromSeq, toSeq: plannedEnd } = this.#plan.task
    const { upTo, sealedTo, keyIds, tally, period } = this.#standing
    // An entry that was altered may say that it is behind the period, and really have been in it.
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

  #fits({ root, record }: NonNullable<PartReport['newestSeal']>): boolean {
    const tree = this.#standing.record.copy()
    tree.addSpan(record)
    return tree.root().toString('hex') === root
  }

  async #lookCloser({ upTo }: Part): Promise<boolean> {
    const { task } = this.#plan
    const from = this.#earlier
    const after = from.upTo
    const trace = await this.#reader.trace(task, { after, upTo }, from.record.toData())
    const report = await this.#reader.check(task, { after, upTo: trace.verifiedTo })
    const sealedTo = trace.sealedTo > from.upTo ? trace.sealedTo : from.sealedTo
    this.#move(from, trace.verifiedTo, { sealedTo, keyIds: trace.keyIds }, report)
    this.#areSealsGood &&= trace.areSealsSigned
    this.#fault = trace.fault
    return trace.fault === null
  }

  /** Behind the first seal that is wrong none is counted any more. */
  #move(
    from: Standing,
    upTo: number,
    seals: { sealedTo: number; keyIds: readonly string[] },
    report: PartReport,
  ): void {
    const record = from.record.copy()
    record.addSpan(report.record)
    const period = from.period.copy()
    if (from.upTo < this.#plan.task.toSeq) period.addSpan(report.period)
    const tally = emptyTally()
    addTally(tally, from.tally)
    addTally(tally, report.tally)
    const { sealedTo, keyIds } = this.#areSealsGood ? seals : { sealedTo: from.sealedTo, keyIds: [] }
    this.#earlier = from
    this.#standing = { upTo, sealedTo, record, period, tally, keyIds: new Set([...from.keyIds, ...keyIds]) }
  }
}
