import type { Db, KeyRow } from '../../db/index.js'
import { toUsd } from '../../http/index.js'
import {
  type ReadReserved,
  readSpend,
  type SpendLimit,
  type SpendLimits,
} from '../../resources/budgets/index.js'
import type { Entitlements } from '../../resources/keys/index.js'
import type { KeyStanding } from './schema.js'

interface WindowStanding {
  limit: number
  remaining: number
  resetMs: number
}

export interface KeyStandingParts {
  db: Db
  now(): Date
  entitlementsOf(key: { tenantId: string; keyId: string }): Promise<Entitlements | null>
  spendLimits: Pick<SpendLimits, 'limitsFor'>
  readReserved: ReadReserved
  readRateLimitStatus(
    tenantId: string,
    key: { id: string; rpmLimit: number | null; tpmLimit: number | null; limitsSince: number },
  ): Promise<{ requests: WindowStanding | null; tokens: WindowStanding | null }>
}

export async function readKeyStanding(parts: KeyStandingParts, key: KeyRow): Promise<KeyStanding> {
  const { tenant_id: tenantId, id } = key
  const now = parts.now()
  const entitlements = await parts.entitlementsOf({ tenantId, keyId: id })
  const { requests, tokens } = await parts.readRateLimitStatus(tenantId, {
    id,
    rpmLimit: key.rpm_limit,
    tpmLimit: key.tpm_limit,
    limitsSince: key.limits_since,
  })
  return {
    keyId: id,
    at: now.toISOString(),
    usable: entitlements !== null && entitlements.user?.suspended !== true,
    requests: requests && presentWindow(requests),
    tokens: tokens && presentWindow(tokens),
    money: entitlements === null ? [] : await readMoney(parts, entitlements, now),
  }
}

const presentWindow = ({ limit, remaining, resetMs }: WindowStanding) => ({
  limit,
  used: limit - remaining,
  remaining,
  resetMs,
})

async function readMoney(
  { db, spendLimits, readReserved }: KeyStandingParts,
  entitlements: Entitlements,
  now: Date,
): Promise<KeyStanding['money']> {
  const { tenantId, key } = entitlements
  const { limits } = await spendLimits.limitsFor(entitlements, { session: null, tags: key.tags }, now)
  if (limits.length === 0) return []
  const accounts = limits.map(({ account }) => account)
  const [spends, reserved] = await Promise.all([
    readSpend(db, tenantId, accounts),
    Promise.all(accounts.map((account) => readReserved(tenantId, account))),
  ])
  return limits
    .map((limit, i) => presentMoney(limit, spends[i]?.spentNanos ?? 0, reserved[i] ?? 0))
    .sort((a, b) => a.remainingUsd - b.remainingUsd)
}

function presentMoney(
  { account, limitNanos, source }: SpendLimit,
  spentNanos: number,
  reservedNanos: number,
): KeyStanding['money'][number] {
  const { scopeType, scopeId, endMs } = account
  const kind = scopeType === 'team' ? ('pool' as const) : ('cap' as const)
  return {
    type: source.id === null ? kind : 'budget',
    id: source.id ?? scopeId,
    name: source.name,
    scope: { type: scopeType, id: scopeId },
    limitUsd: toUsd(limitNanos),
    spentUsd: toUsd(spentNanos),
    reservedUsd: toUsd(reservedNanos),
    remainingUsd: toUsd(Math.max(0, limitNanos - spentNanos - reservedNanos)),
    resetsAt: endMs === null ? null : new Date(endMs).toISOString(),
  }
}
