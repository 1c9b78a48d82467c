import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { apiPages } from '../../../api'
import { Button, ErrorState, Section, Skeleton, Time } from '../../../components'
import { formatUsd } from '../../../format'
import { useIsManager, useSession } from '../../../session'
import type { Budget, BudgetRequest } from '../budget'
import { ApproveRequest, DenyRequest } from './decide-request'
import { RequestStatus, useRequester } from './request-status'

// Budget requests cause no live events, so they are polled.
const pollOptions = 15

export const usePendingRequests = () =>
  useInfiniteQuery({
    ...apiPages('/v1/budgets/requests', { status: 'pending', limit: 50 }),
    refetchInterval: pollOptions * 1_000,
  })

interface RequestsProps {
  budgets: readonly Budget[] | undefined
}

/** Pending requests; renders nothing if there are none. */
export function PendingRequests({ budgets }: RequestsProps) {
  const isManager = useIsManager()
  const pending = usePendingRequests()
  if (pending.error && !pending.data)
    return <ErrorState error={pending.error} retry={() => void pending.refetch()} className="mb-8" />
  if (!pending.data || pending.data.length === 0) return null
  return (
    <Section title={isManager ? 'Pending requests' : 'Waiting for approval'}>
      <ul className="m-0 list-none border-t border-rule-2 p-0">
        {pending.data.map((request) => (
          <RequestRow
            key={request.id}
            request={request}
            budget={budgets?.find(({ id }) => id === request.budgetId)}
            mayDecide={isManager}
          />
        ))}
      </ul>
    </Section>
  )
}

/** Decided requests, newest first. */
export function DecidedRequests({ budgets, budgetId }: RequestsProps & { budgetId?: string }) {
  const isMember = useSession().role === 'member'
  const requests = useInfiniteQuery(
    apiPages('/v1/budgets/requests', {
      limit: budgetId === undefined ? 20 : 10,
      ...(budgetId && { budgetId }),
    }),
  )
  if (requests.error && !requests.data)
    return <ErrorState error={requests.error} retry={() => void requests.refetch()} />
  if (!requests.data) return <Skeleton className="h-20" />
  const shown =
    budgetId === undefined ? requests.data.filter(({ status }) => status !== 'pending') : requests.data
  if (shown.length === 0)
    return budgetId === undefined ? null : <p className="m-0 text-sm text-ink-2">No requests yet.</p>
  const list = (
    <ul className="m-0 list-none border-t border-rule p-0">
      {shown.map((request) => (
        <RequestRow
          key={request.id}
          request={request}
          budget={budgetId === undefined ? budgets?.find(({ id }) => id === request.budgetId) : undefined}
          mayDecide={false}
        />
      ))}
    </ul>
  )
  const more = requests.hasNextPage && (
    <Button
      size="sm"
      className="mt-3"
      isBusy={requests.isFetchingNextPage}
      onClick={() => void requests.fetchNextPage()}
    >
      Show more
    </Button>
  )
  if (budgetId !== undefined)
    return (
      <>
        {list}
        {more}
      </>
    )
  return (
    <Section title={isMember ? 'Your requests' : 'Decided'}>
      {list}
      {more}
    </Section>
  )
}

function RequestRow({
  request,
  budget,
  mayDecide,
}: {
  request: BudgetRequest
  budget: Budget | undefined
  mayDecide: boolean
}) {
  const requesterOf = useRequester()
  const [decision, setDecision] = useState<'approve' | 'deny' | null>(null)
  const close = () => setDecision(null)
  const { name, requestName } = requesterOf(request)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-rule py-2.5 text-sm">
      <div className="min-w-0 flex-1 basis-64">
        <div>
          <span className="font-medium">{name}</span> requested{' '}
          <span className="num font-medium">{formatUsd(request.amountUsd)}</span> more
          {budget && (
            <>
              {' '}
              for{' '}
              <Link
                to="/budgets"
                search={(before) => ({ ...before, budget: budget.id })}
                className="text-inherit underline decoration-rule-2 underline-offset-4 hover:decoration-ink-3"
              >
                {budget.name}
              </Link>
            </>
          )}
        </div>
        <div className="text-ink-3">
          <span className="break-words">“{request.reason}”</span> · <Time at={request.createdAt} />
          {request.note && <div className="text-ink-2">{request.note}</div>}
        </div>
      </div>
      {mayDecide ? (
        <div className="flex gap-2">
          <Button size="sm" onClick={() => setDecision('deny')} aria-label={`Deny ${requestName}`}>
            Deny
          </Button>
          <Button
            size="sm"
            kind="primary"
            onClick={() => setDecision('approve')}
            aria-label={`Approve ${requestName}`}
          >
            Approve …
          </Button>
        </div>
      ) : (
        <div className="text-right">
          <RequestStatus request={request} />
          {request.grantedUsd !== null && request.grantedUsd !== request.amountUsd && (
            <div className="num text-xs text-ink-3">{formatUsd(request.grantedUsd)} granted</div>
          )}
        </div>
      )}
      {decision === 'approve' && <ApproveRequest request={request} budget={budget} onClose={close} />}
      {decision === 'deny' && <DenyRequest request={request} budget={budget} onClose={close} />}
    </li>
  )
}
