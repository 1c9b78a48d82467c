import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '../../api'
import { CallsLink } from '../../calls-link'
import {
  Button,
  DescriptionItem,
  DescriptionList,
  ErrorState,
  Id,
  Money,
  Section,
  SidePanel,
  Skeleton,
  Time,
  useNow,
} from '../../components'
import { formatUsd } from '../../format'
import { useIsManager, useSession } from '../../session'
import { type Budget, callSelectionOf, limitOf, periodNames } from './budget'
import { BudgetForm } from './budget-form'
import { BudgetForecast } from './budget-list'
import { BudgetMeter } from './budget-meter'
import { BudgetSpend } from './budget-spend'
import { DeleteBudget } from './delete-budget'
import { RequestIncrease } from './requests/request-increase'
import { DecidedRequests } from './requests/requests'
import { ScopeDescription } from './scope-description'
import { useBudgetCalls } from './use-budget-calls'

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
  const visibleCalls = callSelectionOf(budget, now)
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
      {visibleCalls && <BudgetSpend budget={budget} calls={visibleCalls} isPart={calls === null} />}
      <Section title="Increase requests">
        <DecidedRequests budgets={undefined} budgetId={budget.id} />
      </Section>
      {openDialog === 'edit' && <BudgetForm budget={budget} onClose={close} />}
      {openDialog === 'more' && <RequestIncrease budget={budget} onClose={close} />}
      {openDialog === 'delete' && <DeleteBudget budget={budget} onClose={close} onGone={onGone} />}
    </>
  )
}
