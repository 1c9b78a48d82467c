import type { Target } from '../../../providers/index.js'
import { scopeIdsOf } from '../../../resources/keys/index.js'
import { type CachedAnswers, maxAnswerBytes } from '../../../resources/response-cache/index.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import type { Answer } from '../answer.js'
import type { PlannedModelCall } from '../plan/plan.js'
import { isCacheableCall, writeCacheKey } from './cache-key.js'
import { recordingTarget, replayTarget } from './cached-targets.js'

export interface CacheParts {
  cachedAnswers: Pick<CachedAnswers, 'hash' | 'find' | 'keep'>
  /** Returns the number of the last erasure of the tenant. */
  erasedTo(tenantId: string): Promise<number>
  onCacheError(error: unknown): void
  yieldToEventLoop: YieldToEventLoop
}

/** A target with a response cache. */
export interface CachedTarget {
  /** A target that answers from the cache, or that records what the provider answers. */
  target: Target
  isHit: boolean
  /** Stores the answer. Called when the attempt has ended with its receipt. `isLowered` is true when the maximum output was lowered. */
  keep(ended: { answer: Answer; isLowered: boolean }): void
}

/**
 * Opens the response cache for an attempt. An idempotent replay uses only its recorded answer. Null when the call names no route, the route
 * has no cache, or the answer depends on more than the call.
 */
export async function openCache(
  planned: PlannedModelCall,
  target: Target,
  parts: CacheParts,
): Promise<CachedTarget | null> {
  const { recorded } = planned
  if (recorded !== undefined) return replayRecorded(target, recorded)
  const settings = planned.plan.route?.cache ?? null
  if (settings === null) return null
  try {
    if (!(await isCacheableCall(planned.call, target))) return null
    return await lookUp(planned, target, settings, parts)
  } catch (error) {
    // When the cache is unavailable, the call goes to the provider.
    parts.onCacheError(error)
    return null
  }
}

function replayRecorded(
  target: Target,
  { status, headers, body }: NonNullable<PlannedModelCall['recorded']>,
): CachedTarget {
  const { 'content-type': contentType = 'application/json', 'content-encoding': contentEncoding } = headers
  const known = { status, contentType, contentEncoding, body }
  return { target: replayTarget(target, known), isHit: true, keep: () => undefined }
}

async function lookUp(
  planned: PlannedModelCall,
  target: Target,
  settings: Parameters<typeof writeCacheKey>[2],
  { cachedAnswers, erasedTo, yieldToEventLoop }: CacheParts,
): Promise<CachedTarget> {
  const { tenantId, userId } = scopeIdsOf(planned.entitlements)
  const { ttlSeconds } = settings
  // Read before the call, so that an erasure during the call has a higher number.
  const lastErasure = await erasedTo(tenantId)
  await yieldToEventLoop()
  const keyHash = await cachedAnswers.hash(tenantId, writeCacheKey(planned, target, settings))
  const stored = await cachedAnswers.find({ tenantId, keyHash, ttlSeconds })
  planned.caller.addHeaders({ 'x-tallystick-cache': stored ? 'hit' : 'miss' })
  if (stored) return { target: replayTarget(target, stored), isHit: true, keep: () => undefined }
  const recording = recordingTarget(target, maxAnswerBytes)
  return {
    target: recording.target,
    isHit: false,
    keep({ answer: { outcome }, isLowered }) {
      const answer = outcome === 'ok' && !isLowered ? recording.answer() : null
      if (answer !== null)
        cachedAnswers.keep({ ...answer, tenantId, keyHash, userId, ttlSeconds, erasedTo: lastErasure })
    },
  }
}
