import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, apiQuery, expectSuccess } from '../../api'
import { type CallSelection, CallsLink } from '../../calls-link'
import {
  Button,
  Confirm,
  DescriptionItem,
  DescriptionList,
  ErrorState,
  Id,
  Money,
  notify,
  Section,
  SidePanel,
  Skeleton,
  Time,
  useNow,
} from '../../components'
import { formatUsd } from '../../format'
import { useIsManager, useSession } from '../../session'
import { SpendChart } from '../../spend-chart'
import { usageQuery } from '../../usage'
import { type Budget, callSelectionOf, limitOf, periodNames } from './budget'
import { BudgetForm } from './budget-form'
import { BudgetForecast } from './budget-list'
import { BudgetMeter } from './budget-meter'
import { RequestIncrease } from './request-increase'
import { DecidedRequests } from './requests'
import { ScopeDescription } from './scope-description'
import { useBudgetCalls } from './use-budget-calls'
import { useRefreshBudgets } from './use-budgets'

/** The side panel of a budget: its figures, spend by caller, requests and actions. */
export function BudgetPanel({ budgetId, onClose }: { budgetId: string; onClose(): void }) {
  const budget = useQuery(apiQuery('/v1/budgets/{id}', { params: { path: { id: budgetId } } }))
  return (
    <SidePanel
      open
      onClose={onClose}
      label={budget.data ? `Budget ${budget.data.name}` : 'Budget'}
      title={<span className="break-words">{budget.data?.name ?? 'Budget'}</span>}
    >
      {budget.error && !budget.data ? (
        <ErrorState error={budget.error} retry={() => void budget.refetch()} />
      ) : budget.data ? (
        <BudgetDetails budget={budget.data} onGone={onClose} />
      ) : (
        <Skeleton className="h-64" />
      )}
    </SidePanel>
  )
}

function BudgetDetails({ budget, onGone }: { budget: Budget; onGone(): void }) {
  const isManager = useIsManager()
  const isAuditor = useSession().role === 'auditor'
  const [openDialog, setOpenDialog] = useState<'edit' | 'delete' | 'more' | null>(null)
  const now = useNow()
  const close = () => setOpenDialog(null)
  const limit = limitOf(budget)
  const calls = useBudgetCalls(budget)
  const seen = callSelectionOf(budget, now)
  return (
    <>
      <p className="m-0 mb-4 flex flex-wrap items-center gap-x-3 text-xs text-ink-3">
        <Id id={budget.id} />
        <span>
          <ScopeDescription budget={budget} />
        </span>
      </p>
      {!isAuditor && (
        <div className="mb-6 flex flex-wrap gap-2">
          {isManager && (
            <Button size="sm" onClick={() => setOpenDialog('edit')}>
              Edit
            </Button>
          )}
          <Button size="sm" kind={isManager ? 'plain' : 'primary'} onClick={() => setOpenDialog('more')}>
            Request increase
          </Button>
          {isManager && (
            <Button size="sm" kind="danger" onClick={() => setOpenDialog('delete')}>
              Delete
            </Button>
          )}
        </div>
      )}
      <div className="mb-8">
        <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="text-xl font-semibold tracking-tight">
            <Money usd={budget.remainingUsd} /> <span className="text-base font-normal text-ink-2">left</span>
          </span>
          <BudgetForecast budget={budget} />
        </div>
        <BudgetMeter budget={budget} className="mb-4 !h-3" />
        <DescriptionList>
          <DescriptionItem name="Spent">
            {calls ? (
              <CallsLink calls={calls}>
                <Money usd={budget.spentUsd} />
              </CallsLink>
            ) : (
              <Money usd={budget.spentUsd} />
            )}
          </DescriptionItem>
          <DescriptionItem name="Reserved">
            <Money usd={budget.reservedUsd} /> <span className="text-ink-3">by calls in progress</span>
          </DescriptionItem>
          <DescriptionItem name="Amount">
            <Money usd={budget.amountUsd} /> <span className="text-ink-3">{periodNames[budget.period]}</span>
            {budget.grantedUsd > 0 && (
              <>
                {' '}
                + <Money usd={budget.grantedUsd} /> <span className="text-ink-3">granted</span>
              </>
            )}
          </DescriptionItem>
          <DescriptionItem name="Resets">
            {budget.periodEnd === null ? 'never' : <Time at={budget.periodEnd} />}
          </DescriptionItem>
          <DescriptionItem name="Alert">
            at {budget.thresholdPct} %, {formatUsd((limit * budget.thresholdPct) / 100)}
          </DescriptionItem>
          <DescriptionItem name="When used up">
            {budget.action === 'block' ? 'block calls that exceed it' : 'alert only'}
          </DescriptionItem>
        </DescriptionList>
      </div>
      {seen && <Spend budget={budget} calls={seen} isPart={calls === null} />}
      <Section title="Increase requests">
        <DecidedRequests budgets={undefined} budgetId={budget.id} />
      </Section>
      {openDialog === 'edit' && <BudgetForm budget={budget} onClose={close} />}
      {openDialog === 'more' && <RequestIncrease budget={budget} onClose={close} />}
      {openDialog === 'delete' && <DeleteBudget budget={budget} onClose={close} onGone={onGone} />}
    </>
  )
}

/** Spend by day and by caller. Members see only their own part. */
function Spend({ budget, calls, isPart }: { budget: Budget; calls: CallSelection; isPart: boolean }) {
  const { tags, ...filter } = calls.filter ?? {}
  const [tagName, tagValue] = tags?.[0]?.split(/=(.*)/s) ?? []
  const tag = tagName !== undefined && tagValue !== undefined ? { name: tagName, value: tagValue } : undefined
  const groupBy = budget.scope.type === 'tenant' ? 'team' : budget.scope.type === 'key' ? 'model' : 'key'
  const { outcome: _, call: __, ...callFilter } = { call: undefined, ...filter }
  const query = {
    ...callFilter,
    ...(tag && { [`tag.${tag.name}`]: tag.value }),
    from: calls.from.toISOString(),
    timeZone: 'UTC',
    groupBy,
    interval: budget.period === 'daily' ? 'hour' : budget.period === 'total' ? 'month' : 'day',
  } as const
  const usage = useQuery(usageQuery(query))
  const groups = usage.data?.groups.slice(0, 6)
  const first = groups?.[0]?.spendUsd ?? 0
  const filterOf = (key: string | null) =>
    key === null
      ? {}
      : groupBy === 'team'
        ? { teamId: key }
        : groupBy === 'model'
          ? { model: key }
          : { keyId: key }
  return (
    <>
      <Section title={isPart ? 'Your spend in this period' : 'This period'} note="days in UTC">
        <SpendChart
          filter={callFilter}
          tag={tag}
          from={calls.from}
          to={calls.to < new Date() ? calls.to : new Date(usage.data?.to ?? Date.now())}
          interval={query.interval}
          timeZone="UTC"
        />
      </Section>
      <Section
        title={isPart ? 'Your keys' : 'Spend by caller'}
        aside={
          <Link to="/usage" className="link">
            usage →
          </Link>
        }
      >
        {groups === undefined ? (
          <Skeleton className="h-32" />
        ) : groups.length === 0 ? (
          <p className="m-0 text-sm text-ink-2">No spend in this period yet.</p>
        ) : (
          <ul className="m-0 list-none border-t border-rule p-0 text-sm">
            {groups.map((group) => (
              <li
                key={group.key}
                className="grid grid-cols-[minmax(0,1fr)_6rem_5rem] items-center gap-3 border-b border-rule py-1.5"
              >
                <span className="truncate">{group.name ?? group.key ?? 'none'}</span>
                <span aria-hidden className="h-1.5 rounded-sm bg-rule">
                  <span
                    className="block h-full rounded-sm bg-accent"
                    style={{ width: `${first > 0 ? (group.spendUsd / first) * 100 : 0}%` }}
                  />
                </span>
                <CallsLink
                  calls={{ ...calls, filter: { ...calls.filter, ...filterOf(group.key) } }}
                  className="text-right"
                >
                  <Money usd={group.spendUsd} />
                </CallsLink>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}

function DeleteBudget({ budget, onClose, onGone }: { budget: Budget; onClose(): void; onGone(): void }) {
  const refresh = useRefreshBudgets()
  const pending = useQuery(
    apiQuery('/v1/budgets/requests', {
      params: { query: { budgetId: budget.id, status: 'pending', limit: 200 } },
    }),
  )
  const remove = useMutation({
    mutationFn: async () => {
      await expectSuccess(api.DELETE('/v1/budgets/{id}', { params: { path: { id: budget.id } } }))
    },
    onSuccess: async () => {
      notify(`Budget “${budget.name}” deleted`)
      onGone()
      await refresh()
    },
  })
  const waiting = pending.data?.data.length ?? 0
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete “${budget.name}”?`}
      action="Delete budget"
      onConfirm={() => remove.mutate()}
      isBusy={remove.isPending}
    >
      <p className="m-0">
        {budget.action === 'block'
          ? `These calls will no longer be blocked at ${formatUsd(limitOf(budget))} ${periodNames[budget.period]}. Other budgets, team budgets and caps still apply.`
          : 'This budget sends no more alerts.'}{' '}
        {waiting > 0 &&
          `${waiting === 1 ? 'A request' : `${waiting} requests`} for an increase can then no longer be approved. `}
        Past spend stays in the record.
      </p>
      {remove.error !== null && <ErrorState error={remove.error} className="mt-3" />}
    </Confirm>
  )
}
