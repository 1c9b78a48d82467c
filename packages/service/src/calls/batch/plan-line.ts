import type { Price } from '@tallystick/record/pricing'
import type { FastifyBaseLogger } from 'fastify'
import type { Endpoint } from '../../providers/index.js'
import type { Entitlements } from '../../resources/keys/index.js'
import { invalidField } from '../../shared/errors.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'
import { commitYielding, newCommitmentKey, startStages } from '../core/index.js'
import { type ModelCallProgress, readCall, sentBytesOf } from '../model/call.js'
import { makePlan, type PlanParts } from '../model/plan/plan.js'
import { atTier, findBatchTier } from './batch-endpoints.js'
import { type LineAttempt, LineCaller } from './line-attempt.js'
import type { BatchLine } from './read-lines.js'

/** The settings that all lines of a batch share. */
export interface BatchSettings {
  batchId: string
  /** The URL that the batch and each of its lines name, such as `/v1/responses`. */
  url: string
  endpoint: Endpoint
  entitlements: Entitlements
  /** The headers with the call labels, from the request that created the batch. */
  headers: Readonly<Record<string, string>>
  /** The price of the reservation. Null for the current price. */
  price: Price | null
}

export interface PlanLineParts extends PlanParts {
  yieldToEventLoop: YieldToEventLoop
  log: FastifyBaseLogger
  now(): number
}

/** Reads and plans a line like any other model call. Throws the error that a caller would receive. */
export async function planLine(
  line: BatchLine,
  callId: string,
  { batchId, url, endpoint, entitlements, headers, price }: BatchSettings,
  parts: PlanLineParts,
): Promise<LineAttempt> {
  const { yieldToEventLoop } = parts
  const incoming = { id: callId, body: line.body, url }
  const sentHeaders = { ...headers, 'content-type': 'application/json' }
  const read = await readCall({ ...incoming, headers: sentHeaders }, endpoint, entitlements.key.tags, {
    yieldToEventLoop,
  })
  if (read.stream) throw invalidField('stream', 'must not be true: a batch cannot stream')
  const { service_tier: tier = null } = read.body
  if (tier !== null && tier !== 'auto' && tier !== 'default')
    throw invalidField(
      'service_tier',
      'must be left out: all lines of a batch are processed at the batch tier',
    )
  const call = { ...read, batch: { id: batchId, line: line.number } }
  const plan = await makePlan({ call, entitlements }, parts)
  if (plan.route !== null)
    throw invalidField('model', 'is a route: all lines of a batch must name the same model')
  const [found] = plan.attemptOptions.targets
  const target = price === null ? found : { ...found, price }
  const commitmentKey = newCommitmentKey()
  return {
    call: { ...call, endpoint: atTier(endpoint, findBatchTier(target.price)) },
    entitlements,
    caller: new LineCaller(parts.log),
    commitmentKey,
    commitment: await commitYielding(commitmentKey, sentBytesOf(call), yieldToEventLoop),
    content: null,
    progress: startProgress(parts.now()),
    plan,
    number: 1,
    target,
    opened: null,
  }
}

const startProgress = (nowMs: number): ModelCallProgress => ({
  stages: startStages(nowMs),
  trace: null,
  nextTrace: () => null,
  entitlements: null,
  call: null,
  target: null,
  // A refused line appears in the error file of the batch and is not reported separately.
  isReported: true,
})
