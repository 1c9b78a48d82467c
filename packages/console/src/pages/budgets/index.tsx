import { useNavigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import {
  Button,
  EmptyState,
  ErrorState,
  Headline,
  SearchField,
  Section,
  Skeleton,
  Time,
  Toolbar,
  useHasBeenTrue,
} from '../../components'
import { formatUsd, plural } from '../../format'
import { useIsManager } from '../../session'
import { type Budget, limitOf, stateOf } from './budget'
import { BudgetForm } from './budget-form'
import { BudgetList } from './budget-list'
import { BudgetPanel } from './budget-panel'
import { DecidedRequests, PendingRequests, usePendingRequests } from './requests/requests'
import type { BudgetsSearch } from './search'
import { useBudgets } from './use-budgets'

export default function BudgetsPage() {
  const search = useSearch({ from: '/app/budgets' })
  const navigate = useNavigate({ from: '/budgets' })
  const isManager = useIsManager()
  const budgets = useBudgets()
  const pending = usePendingRequests()
  // Requests are above the budgets, so both are shown together to avoid a layout shift.
  const isKnown = useHasBeenTrue(!budgets.isLoading && !pending.isLoading)
  const setSearch = (change: Partial<BudgetsSearch>, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace })
  const filter = search.filter?.toLowerCase()
  const shown = budgets.data?.filter(
    ({ name, scope }) =>
      filter === undefined || name.toLowerCase().includes(filter) || scope.id.toLowerCase().includes(filter),
  )
  const isEmpty = budgets.data?.length === 0
  if (!isKnown)
    return (
      <div aria-busy>
        <Headline>
          <Skeleton className="h-8 w-96 max-w-full" />
        </Headline>
        <BudgetList budgets={undefined} openId={undefined} />
      </div>
    )
  return (
    <>
      {!isEmpty && (
        <Headline>
          {budgets.data ? (
            <BudgetSummary budgets={budgets.data} />
          ) : (
            <Skeleton className="h-8 w-96 max-w-full" />
          )}
        </Headline>
      )}
      <PendingRequests budgets={budgets.data} />
      {budgets.error && !budgets.data ? (
        <ErrorState error={budgets.error} retry={() => void budgets.refetch()} />
      ) : isEmpty ? (
        <EmptyState
          title="No budgets yet"
          action={
            isManager && (
              <Button kind="primary" onClick={() => setSearch({ create: true })}>
                Create a budget
              </Button>
            )
          }
        >
          A budget limits what the tenant, a team, a person, a key, a tag or each session may spend per day,
          week or month. A blocking budget is never exceeded, however many calls run at the same time.
        </EmptyState>
      ) : (
        <Section>
          <Toolbar
            actions={
              isManager && (
                <Button
                  kind="primary"
                  icon={<Plus size={14} aria-hidden />}
                  onClick={() => setSearch({ create: true })}
                >
                  New budget
                </Button>
              )
            }
          >
            <SearchField
              value={search.filter ?? ''}
              onValue={(filter) => setSearch({ filter: filter || undefined }, true)}
              placeholder="Filter budgets"
            />
          </Toolbar>
          {shown?.length === 0 ? (
            <EmptyState
              title="No budgets match"
              action={<Button onClick={() => setSearch({ filter: undefined })}>Show all budgets</Button>}
            />
          ) : (
            <BudgetList budgets={shown} openId={search.budget} />
          )}
        </Section>
      )}
      <DecidedRequests budgets={budgets.data} />
      {search.budget !== undefined && (
        <BudgetPanel
          key={search.budget}
          budgetId={search.budget}
          onClose={() => setSearch({ budget: undefined })}
        />
      )}
      {isManager && search.create === true && (
        <BudgetForm budget={null} onClose={() => setSearch({ create: undefined })} />
      )}
    </>
  )
}

/** States the most severe problem among the budgets. */
function BudgetSummary({ budgets }: { budgets: readonly Budget[] }) {
  const withState = (state: ReturnType<typeof stateOf>) => budgets.filter((each) => stateOf(each) === state)
  const spent = withState('spent').filter(({ action }) => action === 'block')
  const short = budgets.filter(
    (each) => each.forecastUsd !== null && each.forecastUsd > limitOf(each) && stateOf(each) !== 'spent',
  )
  const first = spent[0]
  if (first)
    return (
      <>
        <b>{spent.length === 1 ? first.name : plural(spent.length, 'budget')}</b>{' '}
        {spent.length === 1 ? 'is used up: its calls are' : 'are used up: their calls are'} blocked
        {spent.length === 1 && first.periodEnd !== null && (
          <>
            {' '}
            until it resets <Time at={first.periodEnd} />
          </>
        )}
        .
      </>
    )
  if (short.length > 0) {
    const over = short.reduce((sum, each) => sum + (each.forecastUsd ?? 0) - limitOf(each), 0)
    return (
      <>
        <b>
          {short.length} of {plural(budgets.length, 'budget')}
        </b>{' '}
        will be exceeded at the current rate{short.length === 1 && <>: {formatUsd(over)} over</>}.
      </>
    )
  }
  const alerting = withState('spent')
  if (alerting.length > 0)
    return (
      <>
        <b>{alerting.length === 1 ? alerting[0]?.name : plural(alerting.length, 'budget')}</b>{' '}
        {alerting.length === 1 ? 'is used up: its calls' : 'are used up: their calls'} continue.
      </>
    )
  return (
    <>
      {budgets.length === 1 ? 'The budget will not' : `None of ${budgets.length} budgets will`} be exceeded{' '}
      <b>at the current rate</b>.
    </>
  )
}
