import type { AdmissionRequest, Decision, LimitStatus, WindowClaim } from '../contract.js'
import { refuseByWindow, toLimitStatus } from '../limit-status.js'
import { RedisHold, serializeCall } from './hold.js'
import type { GenerationKeys } from './keys.js'
import type { Reply } from './reply.js'
import { formatPeriod, type ScriptCall } from './script-call.js'

/** Writes the keys and arguments that `admit.lua` reads. */
export function writeRequest(script: ScriptCall, request: AdmissionRequest, keys: GenerationKeys): void {
  const { claims, spend } = request
  const scopes = spend?.scopes ?? []
  script.addArguments(serializeCall({ claims, scopes }))
  script.addList(claims, ({ id, windowMs, amount, limit }) => {
    script.addKeys(keys.window(id)).addArguments(windowMs, amount, limit)
  })
  script.addArguments(spend?.maxNanos ?? '', spend?.minNanos ?? '')
  script.addList(scopes, ([type, id]) => script.addKeys(keys.reserved(type, id)))
  script.addList(spend?.accountLimits ?? [], ({ account, limitNanos }) => {
    const { scopeType, scopeId } = account
    script.addKeys(keys.scope(scopeType, scopeId), keys.reserved(scopeType, scopeId))
    script.addArguments(formatPeriod(account), limitNanos)
  })
}

export function parseDecision(reply: Reply, request: AdmissionRequest, generation: number): Decision {
  const { tenantId, attemptId, claims, spend } = request
  const nowMicroseconds = reply.numberAt(0)
  const atMs = Math.floor(nowMicroseconds / 1000)
  const limitStatusesFrom = (index: number) => parseLimitStatuses(reply, index, claims, nowMicroseconds)
  switch (reply.kind) {
    case 'admitted':
      return {
        admitted: true,
        hold: new RedisHold(tenantId, attemptId, atMs, claims, spend?.scopes ?? []),
        atMs,
        generation,
        limitStatuses: limitStatusesFrom(2),
        grantedNanos: spend && reply.numberAt(1),
      }
    case 'window': {
      const waitMicroseconds = reply.numberAt(2)
      const waitMs = waitMicroseconds < 0 ? Number.POSITIVE_INFINITY : waitMicroseconds / 1000
      return refuseByWindow(itemAt(claims, reply.numberAt(1)), waitMs, limitStatusesFrom(3))
    }
    case 'spend': {
      const accountLimit = itemAt(spend?.accountLimits ?? [], reply.numberAt(1))
      const refusal = { accountLimit, spentNanos: reply.numberAt(2), usedNanos: reply.numberAt(3) }
      return { admitted: false, reason: 'spend', atMs, refusal, limitStatuses: limitStatusesFrom(4) }
    }
    case 'period':
      return { admitted: false, reason: 'period', atMs, limitStatuses: limitStatusesFrom(1) }
    default:
      throw new TypeError(`The admission script replied with "${reply.kind}", which is no decision`)
  }
}

/** Reads one status for each claim, beginning at a value of the reply. */
export function parseLimitStatuses(
  reply: Reply,
  index: number,
  claims: readonly WindowClaim[],
  nowMicroseconds: number,
): LimitStatus[] {
  return claims.map((claim, i) => {
    const lastMicroseconds = reply.numberAt(index + 2 * i + 1)
    const ageMs = (nowMicroseconds - lastMicroseconds) / 1000
    const resetMs = lastMicroseconds === 0 ? 0 : claim.windowMs - ageMs
    return toLimitStatus(claim, reply.numberAt(index + 2 * i), resetMs)
  })
}

function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new RangeError(`The admission script named claim ${index} of ${items.length}`)
  return item
}
