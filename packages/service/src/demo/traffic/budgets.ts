import { runawayKey } from '../company/company.js'
import type { Runaway } from './runaway.js'
import type { DemoCall } from './settle-calls.js'

/** A budget of the demo. `of` is the name of a team or key, or a tag. */
export interface DemoBudget {
  name: string
  scope: { type: 'tenant' } | { type: 'team' | 'key' | 'tag'; of: string }
  amountUsd: number
  period: 'daily' | 'monthly'
  thresholdPct: number
  action: 'block' | 'alert'
}

const nanosPerUsd = 1_000_000_000

/**
 * Plans budgets. The amounts are derived from the calls, so that no hard budget was ever exceeded: some have plenty left, one is past its
 * threshold, one is nearly spent, and the one of the runaway agent is spent.
 */
export function planBudgets(calls: readonly DemoCall[], runaway: Runaway | null): DemoBudget[] {
  const monthly = { period: 'monthly', thresholdPct: 80 } as const
  const ofTeam = (team: string, share: number) => ({
    ...monthly,
    name: `${team}, monthly`,
    scope: { type: 'team', of: team } as const,
    amountUsd: amountFor(calls, share, (call) => call.team === team),
    action: 'block' as const,
  })
  const budgets: DemoBudget[] = [
    {
      ...monthly,
      name: 'The whole company, monthly',
      scope: { type: 'tenant' },
      amountUsd: amountFor(calls, 0.45, () => true),
      action: 'alert',
    },
    ofTeam('Platform', 0.86),
    ofTeam('Mobile', 0.4),
    ofTeam('Research', 0.97),
    {
      ...monthly,
      name: 'Project heron, monthly',
      scope: { type: 'tag', of: 'project=heron' },
      amountUsd: amountFor(calls, 0.6, ({ tags }) => tags.project === 'heron'),
      action: 'block',
    },
  ]
  if (runaway)
    budgets.push({
      name: 'The night agent, daily',
      scope: { type: 'key', of: runawayKey },
      amountUsd: runaway.amountNanos / nanosPerUsd,
      period: 'daily',
      thresholdPct: 80,
      action: 'block',
    })
  return budgets
}

/** Returns the monthly pool of a team, which no team comes near to spending. */
export const poolFor = (calls: readonly DemoCall[], team: string): number =>
  Math.ceil(amountFor(calls, 0.3, (call) => call.team === team) / 50) * 50

/** Returns an amount in whole dollars, of which the calls of the most expensive month are this share. */
function amountFor(calls: readonly DemoCall[], share: number, counts: (call: DemoCall) => boolean): number {
  const months = new Map<string, number>()
  for (const call of calls) {
    if (!counts(call)) continue
    const month = new Date(call.atMs).toISOString().slice(0, 7)
    months.set(month, (months.get(month) ?? 0) + call.costNanos)
  }
  return Math.ceil(Math.max(0, ...months.values()) / share / nanosPerUsd)
}
