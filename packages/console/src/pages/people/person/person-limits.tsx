import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { apiPages } from '../../../api'
import { type CallSelection, CallsLink } from '../../../calls-link'
import { Meter, Money, Section, Skeleton, Tag } from '../../../components'
import { formatDay, formatUsd } from '../../../format'
import { useTimeZone } from '../../../time/use-span'
import { AllowedTools } from '../../../tool-list'
import { currentMonth, type Limit, type Member, toneOfSpend, type useTeams } from '../use-people'

interface PersonLimitsProps {
  member: Member
  limit: Limit
  teams: ReturnType<typeof useTeams>
  /** Hides the team's spend, which members may not see. */
  hidesPool?: boolean
}

/** The limits of a person and their usage. */
export function PersonLimits({ member, limit, teams, hidesPool = false }: PersonLimitsProps) {
  const timeZone = useTimeZone()
  const budgets = useInfiniteQuery(apiPages('/v1/budgets', { limit: 200 }))
  const team = teams.teams?.find(({ id }) => id === member.teamId)
  const personBudgets = (budgets.data ?? []).filter(
    ({ scope }) =>
      (scope.type === 'user' && scope.id === member.userId) ||
      (scope.type === 'team' && scope.id === member.teamId),
  )
  const month = currentMonth()
  const userCalls = { ...month, filter: { userId: member.userId } }
  return (
    <Section title="Limits" note={`the month ends on ${formatDay(new Date(limit.periodEnd), timeZone)}`}>
      <div className="border-t border-rule text-sm">
        <LimitUsage
          name="Personal cap"
          spent={limit.spentUsd}
          max={limit.budgetCapUsd}
          calls={userCalls}
          none="no cap"
        />
        {team && (
          <LimitUsage
            name={
              <>
                Budget of{' '}
                {hidesPool ? (
                  team.name
                ) : (
                  <Link to="/people" search={{ team: team.id }} className="link">
                    {team.name}
                  </Link>
                )}
              </>
            }
            spent={hidesPool ? null : team.spentUsd}
            max={team.budgetPoolUsd}
            calls={{ ...month, filter: { teamId: team.id } }}
          />
        )}
        {personBudgets.map((budget) => (
          <LimitUsage
            key={budget.id}
            name={
              <>
                Budget{' '}
                <Link to="/budgets" className="link">
                  {budget.name}
                </Link>{' '}
                {!budget.name.includes(budget.period) && <span className="text-ink-3">{budget.period}</span>}
              </>
            }
            spent={budget.spentUsd}
            reserved={budget.reservedUsd}
            max={budget.amountUsd + budget.grantedUsd}
            calls={{
              from: new Date(budget.periodStart),
              to: budget.periodEnd === null ? month.to : new Date(budget.periodEnd),
              filter:
                budget.scope.type === 'user' ? { userId: budget.scope.id } : { teamId: budget.scope.id },
            }}
          />
        ))}
        <div className="flex items-baseline justify-between gap-6 border-b border-rule py-2">
          <span className="shrink-0">Models</span>
          <span className="flex flex-wrap justify-end gap-1">
            {limit.allowedModels === null ? (
              <span className="text-ink-3">all</span>
            ) : limit.allowedModels.length === 0 ? (
              <span className="text-bad">none: every model call is blocked</span>
            ) : (
              limit.allowedModels.map((model) => (
                <Tag key={model}>
                  <span className="mono">{model}</span>
                </Tag>
              ))
            )}
          </span>
        </div>
        <div className="flex items-baseline justify-between gap-6 border-b border-rule py-2">
          <span className="shrink-0">Tools</span>
          <AllowedTools tools={limit.allowedTools} />
        </div>
      </div>
    </Section>
  )
}

interface LimitUsageProps {
  name: ReactNode
  /** Null if the user may not see it. */
  spent: number | null | undefined
  reserved?: number
  /** Null if there is no limit. */
  max: number | null
  calls: CallSelection
  none?: string
}

function LimitUsage({ name, spent, reserved = 0, max, calls, none }: LimitUsageProps) {
  return (
    <div className="border-b border-rule py-2">
      <div className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 truncate">{name}</span>
        <span className="shrink-0">
          {spent === undefined ? (
            <Skeleton className="inline-block h-3.5 w-20" />
          ) : (
            spent !== null && (
              <CallsLink calls={calls} className="font-medium">
                <Money usd={spent} />
              </CallsLink>
            )
          )}
          <span className="text-ink-3">
            {max === null
              ? ` · ${none}`
              : spent === null
                ? `${formatUsd(max)} a month`
                : ` of ${formatUsd(max)}`}
          </span>
        </span>
      </div>
      {max !== null && typeof spent === 'number' && (
        <Meter
          label={`${formatUsd(spent)} of ${formatUsd(max)} spent`}
          value={spent}
          reserved={reserved}
          max={max}
          tone={toneOfSpend(spent, max)}
          className="mt-1.5 mb-1"
        />
      )}
    </div>
  )
}
