import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Db, ReplicaReads } from '../../../db/index.js'
import { type Job, JobFailedError, LeaseLostError } from '../../../jobs/index.js'
import {
  continueExport,
  type ExportHeader,
  findSeal,
  hasSpan,
  type SigningKey,
  type SpanVerifier,
} from '../../../record/index.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import { attest } from '../attestation/attest.js'
import type { Period } from '../attestation/attestation-period.js'
import { type LeasedJob, type NewPart, storePart } from './job-lease.js'

export interface ResultParts {
  db: Db
  /** Where entries of the record are read for an export. */
  reads: ReplicaReads
  spans: SpanVerifier
  signingKey: SigningKey
  now(): Date
  yieldToEventLoop: YieldToEventLoop
  /** The bytes of a part before compression; set by tests. */
  partBytes?: number | undefined
  /** The time after which other jobs may run. */
  turnMs?: number | undefined
}

/** The progress that a job reports while it runs. */
export interface JobProgress {
  done: number
  total: number | null
}

const defaultPartBytes = 4 * 1024 * 1024
const defaultTurnMs = 30_000
// The fastest level: receipts shrink to a seventh in 33 ms of CPU for a part; to an eighth at the default, in 63
// ms.
const compress = promisify(gzip)
const level = 1

async function store(
  db: Db,
  job: Job,
  { pieces, ...part }: Omit<NewPart, 'content'> & { pieces: Buffer[] },
): Promise<void> {
  const content = await compress(Buffer.concat(pieces), { level })
  if (!(await storePart(db, job, { ...part, content }))) throw new LeaseLostError()
}

/** Continues an export after its last stored part. False when its time slice ends first. */
export async function makeExport(
  { db, reads, yieldToEventLoop, partBytes = defaultPartBytes, turnMs = defaultTurnMs }: ResultParts,
  { row, job }: LeasedJob,
  { header, isSealed }: { header: ExportHeader; isSealed: boolean },
  progress: JobProgress,
  signal: AbortSignal,
): Promise<boolean> {
  const endsMs = performance.now() + turnMs
  const position = row.parts === 0 ? null : { upTo: row.stored_to, entries: row.entries, seals: row.seals }
  let number = row.parts
  let pieces: Buffer[] = []
  let bytes = 0
  let last = { upTo: header.fromSeq - 1, entries: 0, seals: 0 }
  const flush = async (isLast: boolean) => {
    await store(db, job, { pieces, number, bytes, ...last, done: progress.done, isLast })
    number += 1
    pieces = []
    bytes = 0
  }
  const source = await reads.choose((replica) => hasSpan(replica, header))
  for await (const { text, ...written } of continueExport(source, header, position)) {
    signal.throwIfAborted()
    last = written
    progress.done = written.upTo - header.fromSeq + 1
    const piece = Buffer.from(text)
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= partBytes && written.upTo < header.toSeq) {
      await flush(false)
      if (performance.now() > endsMs) return false
    }
    await yieldToEventLoop()
  }
  // Old seals are deleted over time. Without its last seal, an export verifies no better than one that was tampered
  // with.
  if (isSealed && (await findSeal(db, header.tenant, header.toSeq)) === undefined)
    throw new JobFailedError(
      `The seal over entry ${header.toSeq} was removed while the span was exported; start another job, which ends at the next seal`,
    )
  await flush(true)
  return true
}

/** An attestation has a single part. After a crash it starts again, because intermediate counts are not stored. */
export async function makeAttestation(
  { db, spans, signingKey, now }: ResultParts,
  { row, job }: LeasedJob,
  { period, recordSize }: { period: Period; recordSize: number },
  progress: JobProgress,
  signal: AbortSignal,
): Promise<void> {
  const onProgress = (made: JobProgress) => Object.assign(progress, made)
  const background: Pick<SpanVerifier, 'verify'> = {
    verify: (tenantId, time, signal) =>
      spans.verifyInBackground(tenantId, time, { recordSize, onProgress }, signal),
  }
  const attestation = await attest({ db, spans: background, signingKey, now }, row.tenant_id, period, signal)
  const text = Buffer.from(JSON.stringify(attestation))
  const { receipts } = attestation.totals
  await store(db, job, {
    ...{ pieces: [text], number: 0, bytes: text.length, isLast: true },
    ...{ upTo: attestation.period.toSeq, entries: receipts, seals: 0, done: receipts },
  })
}
