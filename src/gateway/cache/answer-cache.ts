import { type CachedAnswers, maxAnswerBytes } from '../../modules/cached-answers/index.js'
import { scopeIdsOf } from '../../modules/keys/index.js'
import type { Target } from '../../providers/index.js'
import type { WaitForTurn } from '../../turns.js'
import type { Answer } from '../answer.js'
import type { PlannedCall } from '../plan/plan.js'
import { describeRequest, isSelfContained } from './describe-request.js'
import { recordingTarget, replayTarget } from './kept-targets.js'

export interface CacheParts {
  cachedAnswers: Pick<CachedAnswers, 'hash' | 'find' | 'keep'>
  /** The last erasure of the tenant. */
  erasedTo(tenantId: string): Promise<number>
  onCacheError(error: unknown): void
  waitForTurn: WaitForTurn
}

/** A target of a route with a cache. */
export interface CachedTarget {
  /** Answers from the cache, or keeps what the provider answers. */
  target: Target
  isHit: boolean
  /** When the attempt has ended, with its receipt. `isLowered`: less was asked for than the caller did. */
  keep(ended: { answer: Answer; isLowered: boolean }): void
}

/**
 * Where an earlier answer is given again, that and nothing else. Null where nothing is kept: the call names no route, its route has no cache, or its answer depends on
 * more than the call.
 */
export async function openCache(
  planned: PlannedCall,
  target: Target,
  parts: CacheParts,
): Promise<CachedTarget | null> {
  const { recorded } = planned
  if (recorded !== undefined) return giveAgain(target, recorded)
  const terms = planned.plan.route?.cache ?? null
  if (terms === null) return null
  try {
    if (!(await isSelfContained(planned.call, target))) return null
    return await lookUp(planned, target, terms, parts)
  } catch (error) {
    // A cache that cannot be asked must not cost anyone an answer.
    parts.onCacheError(error)
    return null
  }
}

function giveAgain(
  target: Target,
  { status, headers, body }: NonNullable<PlannedCall['recorded']>,
): CachedTarget {
  const { 'content-type': contentType = 'application/json', 'content-encoding': contentEncoding } = headers
  const known = { status, contentType, contentEncoding, body }
  return { target: replayTarget(target, known), isHit: true, keep: () => undefined }
}

async function lookUp(
  planned: PlannedCall,
  target: Target,
  terms: Parameters<typeof describeRequest>[2],
  { cachedAnswers, erasedTo, waitForTurn }: CacheParts,
): Promise<CachedTarget> {
  const { tenantId, userId } = scopeIdsOf(planned.entitlements)
  const { ttlSeconds } = terms
  // First: an erasure that comes while the call runs is newer than this.
  const known = await erasedTo(tenantId)
  await waitForTurn()
  const keyHash = await cachedAnswers.hash(tenantId, describeRequest(planned, target, terms))
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
        cachedAnswers.keep({ ...answer, tenantId, keyHash, userId, ttlSeconds, erasedTo: known })
    },
  }
}
