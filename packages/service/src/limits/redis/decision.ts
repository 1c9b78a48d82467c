import type { AdmissionRequest, Claim, Decision, LimitStatus } from '../contract.js'
import { refuse, stand } from '../decision.js'
import type { GenerationKeys } from './keys.js'
import { SharedPass } from './pass.js'
import type { Reply } from './reply.js'
import { describeCall } from './restore-tenant.js'
import { periodOf, type ScriptCall } from './script-call.js'

export function writeRequest(script: ScriptCall, request: AdmissionRequest, keys: GenerationKeys): void {
  const { claims, spend } = request
  const scopes = spend?.scopes ?? []
  script.arg(describeCall({ claims, scopes }))
  script.list(claims, ({ id, windowMs, amount, limit }) => {
    script.key(keys.window(id)).arg(windowMs, amount, limit)
  })
  script.arg(spend?.maxNanos ?? '', spend?.minNanos ?? '')
  script.list(scopes, ([type, id]) => script.key(keys.held(type, id)))
  script.list(spend?.claims ?? [], ({ account, limitNanos }) => {
    const { scopeType, scopeId } = account
    script.key(keys.scope(scopeType, scopeId), keys.held(scopeType, scopeId))
    script.arg(periodOf(account), limitNanos)
  })
}

export function readDecision(reply: Reply, request: AdmissionRequest, generation: number): Decision {
  const { tenantId, callId, claims, spend } = request
  const nowMicroseconds = reply.number(0)
  const atMs = Math.floor(nowMicroseconds / 1000)
  const limitStatusesFrom = (place: number) => readLimitStatuses(reply, place, claims, nowMicroseconds)
  switch (reply.word) {
    case 'admitted':
      return {
        admitted: true,
        pass: new SharedPass(tenantId, callId, atMs, claims, spend?.scopes ?? []),
        atMs,
        generation,
        limitStatuses: limitStatusesFrom(2),
        grantedNanos: spend && reply.number(1),
      }
    case 'window': {
      const waitMicroseconds = reply.number(2)
      const waitMs = waitMicroseconds < 0 ? Number.POSITIVE_INFINITY : waitMicroseconds / 1000
      return refuse(pick(claims, reply.number(1)), waitMs, limitStatusesFrom(3))
    }
    case 'spend': {
      const claim = pick(spend?.claims ?? [], reply.number(1))
      const refusal = { claim, spentNanos: reply.number(2), usedNanos: reply.number(3) }
      return { admitted: false, reason: 'spend', atMs, refusal, limitStatuses: limitStatusesFrom(4) }
    }
    case 'period':
      return { admitted: false, reason: 'period', atMs, limitStatuses: limitStatusesFrom(1) }
    default:
      throw new TypeError(`admit: ${reply.word} is no decision`)
  }
}

export function readLimitStatuses(
  reply: Reply,
  place: number,
  claims: readonly Claim[],
  nowMicroseconds: number,
): LimitStatus[] {
  return claims.map((claim, i) => {
    const lastMicroseconds = reply.number(place + 2 * i + 1)
    const ageMs = (nowMicroseconds - lastMicroseconds) / 1000
    return stand(claim, reply.number(place + 2 * i), lastMicroseconds === 0 ? 0 : claim.windowMs - ageMs)
  })
}

function pick<T>(items: readonly T[], place: number): T {
  const item = items[place]
  if (item === undefined) throw new RangeError(`The script spoke of item ${place} of ${items.length}`)
  return item
}
