import type { FastifyBaseLogger } from 'fastify'
import { type ApiError, invalidField } from '../../errors.js'
import { commitInTurns, newCommitmentKey, startStages } from '../../governed/index.js'
import type { Entitlements } from '../../modules/keys/index.js'
import type { Price } from '../../pricing/index.js'
import type { Dialect, Target } from '../../providers/index.js'
import { type CallProgress, readCall } from '../call.js'
import type { Caller } from '../caller.js'
import { makePlan, type PlannedCall, type PlanParts } from '../plan/plan.js'
import type { ReservationParts } from '../plan/reservation.js'
import { atTier, batchTierOf } from './batch-dialect.js'
import type { BatchLine } from './lines.js'

/** What the lines of a batch have in common. */
export interface BatchTerms {
  batchId: string
  endpoint: string
  dialect: Dialect
  entitlements: Entitlements
  /** Those of the request that made the batch that its calls are filed under. */
  headers: Readonly<Record<string, string>>
  /** The price that was reserved at; null: the one of today. */
  price: Price | null
}

/** A line as a call that is planned. */
export interface LineCall {
  line: BatchLine
  planned: PlannedCall
  target: Target
  /** What its answer would have been to a caller that waits. */
  shown: ShownAnswer
}

export interface LineParts extends PlanParts, ReservationParts {
  log: FastifyBaseLogger
  now(): number
}

/** A line read and planned as any other call. Throws what its caller would have been told. */
export async function planLine(
  line: BatchLine,
  callId: string,
  { batchId, endpoint, dialect, entitlements, headers, price }: BatchTerms,
  parts: LineParts,
): Promise<LineCall> {
  const incoming = { id: callId, body: line.body, url: endpoint }
  const filed = { ...headers, 'content-type': 'application/json' }
  const { waitForTurn } = parts
  const read = await readCall({ ...incoming, headers: filed }, dialect, entitlements.key.tags, {
    waitForTurn,
  })
  if (read.stream) throw invalidField('stream', 'must not be true: nobody listens to a batch')
  const { service_tier: tier = null } = read.body
  if (tier !== null && tier !== 'auto' && tier !== 'default')
    throw invalidField('service_tier', 'must be left out: a batch has a tier of its own')
  const call = { ...read, batch: { id: batchId, line: line.number } }
  const plan = await makePlan({ call, entitlements }, parts)
  if (plan.route !== null) throw invalidField('model', 'names a route: a batch goes to one model')
  const [found] = plan.course.targets
  const target = price === null ? found : { ...found, price }
  const shown = new ShownAnswer(parts.log)
  const commitmentKey = newCommitmentKey()
  const planned: PlannedCall = {
    call: { ...call, dialect: atTier(dialect, batchTierOf(target.price)) },
    entitlements,
    caller: shown,
    commitmentKey,
    commitment: await commitInTurns(commitmentKey, line.body, waitForTurn),
    content: null,
    progress: startProgress(parts.now()),
    plan,
  }
  return { line, planned, target, shown }
}

const startProgress = (nowMs: number): CallProgress => ({
  stages: startStages(nowMs),
  trace: null,
  nextTrace: () => null,
  entitlements: null,
  call: null,
  target: null,
  // Nobody waits for an answer: there is nobody to be told of a refusal.
  isTold: true,
})

/** Keeps what a caller would have been sent. */
export class ShownAnswer implements Caller {
  readonly log: FastifyBaseLogger
  answer: { status: number; body: Buffer } | { error: ApiError } | null = null

  constructor(log: FastifyBaseLogger) {
    this.log = log
  }

  addHeaders(): void {}
  isGone = () => false
  onGone = () => () => undefined
  abandon(): void {}

  send(status: number, _headers: Record<string, string>, body: Buffer): void {
    this.answer = { status, body }
  }

  sendError(error: ApiError): void {
    this.answer = { error }
  }

  openStream(): never {
    throw new Error('a line of a batch has no stream')
  }
}
