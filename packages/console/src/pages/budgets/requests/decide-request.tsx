import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, apiQuery, expectSuccess } from '../../../api'
import { CallsLink } from '../../../calls-link'
import {
  Confirm,
  ErrorState,
  FormDialog,
  Money,
  notify,
  parseNumber,
  Section,
  Skeleton,
  TextAreaField,
  TextField,
  Time,
  useDraftForm,
} from '../../../components'
import { formatUsd, plural } from '../../../format'
import { usageQuery } from '../../../usage'
import { useMonth } from '../../keys/use-keys'
import { type Budget, type BudgetRequest, limitOf } from '../budget'
import { budgetPaths, useRefreshBudgets } from '../use-budgets'
import { RequestStatus, useRequester } from './request-status'

interface DecideProps {
  request: BudgetRequest
  budget: Budget | undefined
  onClose(): void
}

/** Grants the requested amount or less, with a note for the requester. */
export function ApproveRequest({ request, budget, onClose }: DecideProps) {
  const requesterOf = useRequester()
  const form = useDraftForm({
    record: null,
    toDraft: () => ({ amount: String(request.amountUsd), note: '' }),
    toBody: ({ amount, note }) => ({
      amountUsd: parseNumber(amount),
      ...(note.trim() !== '' && { note: note.trim() }),
    }),
    validate: ({ amount }) => ({
      amountUsd: Number.isNaN(parseNumber(amount)) ? 'Enter an amount in dollars' : null,
    }),
    paths: { amount: 'amountUsd' },
    create: async (body) =>
      await expectSuccess(
        api.POST('/v1/budgets/requests/{id}/approve', { params: { path: { id: request.id } }, body }),
      ),
    invalidates: budgetPaths,
    message: ({ grantedUsd }) => `Granted ${formatUsd(grantedUsd ?? 0)}`,
    onClose,
  })
  const amountUsd = parseNumber(form.draft.amount)
  const isAmount = !Number.isNaN(amountUsd)
  return (
    <FormDialog
      form={form}
      width="lg"
      title={`${requesterOf(request).name} requested ${formatUsd(request.amountUsd)}`}
      description={`“${request.reason}”`}
      action={isAmount ? `Grant ${formatUsd(amountUsd)}` : 'Grant'}
      after={
        <div className="mt-6">
          <RequesterHistory request={request} />
        </div>
      }
    >
      <TextField
        label="Grant (USD)"
        {...form.field('amount')}
        inputMode="decimal"
        autoFocus
        hint="The requested amount or less"
      />
      <TextAreaField label="Note (optional)" {...form.field('note')} rows={2} spellCheck />
      {budget && isAmount && (
        <p role="status" className="m-0 text-ink-2">
          Raises the limit of “{budget.name}” from {formatUsd(limitOf(budget))} to{' '}
          {formatUsd(limitOf(budget) + amountUsd)} for this period, with{' '}
          {formatUsd(budget.remainingUsd + amountUsd)} left.
        </p>
      )}
    </FormDialog>
  )
}

/** Denies the request after a confirmation. */
export function DenyRequest({ request, budget, onClose }: DecideProps) {
  const refresh = useRefreshBudgets()
  const requesterOf = useRequester()
  const deny = useMutation({
    mutationFn: async () =>
      await expectSuccess(
        api.POST('/v1/budgets/requests/{id}/deny', { params: { path: { id: request.id } } }),
      ),
    onSuccess: async () => {
      notify('Request denied')
      await refresh()
      onClose()
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Deny ${requesterOf(request).requestName} for ${formatUsd(request.amountUsd)}?`}
      action="Deny request"
      onConfirm={() => deny.mutate()}
      isBusy={deny.isPending}
    >
      <p className="m-0">
        {budget
          ? `The limit of “${budget.name}” stays at ${formatUsd(limitOf(budget))}, with ${formatUsd(budget.remainingUsd)} left in this period.`
          : 'The budget does not change.'}{' '}
        The requester sees the denial and can send another request.
      </p>
      {deny.error !== null && <ErrorState error={deny.error} className="mt-3" />}
    </Confirm>
  )
}

/** The requester's spend and earlier requests. */
function RequesterHistory({ request }: { request: BudgetRequest }) {
  const { keyId, userId } = request.requestedBy
  const month = useMonth()
  const filter = userId !== null ? { userId } : { keyId: keyId ?? '' }
  const usage = useQuery(
    usageQuery({ ...filter, from: month.from.toISOString(), timeZone: month.timeZone, interval: 'month' }),
  )
  const earlier = useQuery({
    ...apiQuery('/v1/budgets/requests', {
      params: { query: { ...(userId !== null && { userId }), limit: 20 } },
    }),
    enabled: userId !== null,
  })
  const others = earlier.data?.data.filter(({ id }) => id !== request.id).slice(0, 5)
  const totals = usage.data?.totals
  return (
    <Section
      className="!mb-0"
      title={userId === null ? 'This key, this month' : 'This person, this month'}
      aside={
        userId !== null ? (
          <Link to="/people" search={{ person: userId }} className="link">
            view person →
          </Link>
        ) : (
          keyId !== null && (
            <Link to="/keys" search={{ key: keyId }} className="link">
              view key →
            </Link>
          )
        )
      }
    >
      <p className="m-0 mb-3">
        {totals === undefined ? (
          <Skeleton className="h-5 w-64" />
        ) : (
          <>
            <CallsLink calls={{ ...month, filter }}>
              <Money usd={totals.spendUsd} className="font-medium" /> in {plural(totals.requests, 'call')}
            </CallsLink>
            {totals.blocked > 0 && (
              <>
                , {''}
                <CallsLink calls={{ ...month, filter: { ...filter, outcome: 'blocked' } }}>
                  {plural(totals.blocked, 'of them was', 'of them were')} blocked
                </CallsLink>
              </>
            )}
          </>
        )}
      </p>
      {userId !== null &&
        (others === undefined ? (
          <Skeleton className="h-16" />
        ) : others.length === 0 ? (
          <p className="m-0 text-ink-2">No earlier requests.</p>
        ) : (
          <ul className="m-0 list-none border-t border-rule p-0">
            {others.map((each) => (
              <li key={each.id} className="flex items-baseline gap-3 border-b border-rule py-1.5">
                <RequestStatus request={each} />
                <span className="num">
                  {formatUsd(each.amountUsd)}
                  {each.grantedUsd !== null && each.grantedUsd !== each.amountUsd && (
                    <span className="text-ink-3"> granted {formatUsd(each.grantedUsd)}</span>
                  )}
                </span>
                <span className="min-w-0 flex-1 truncate text-ink-3" title={each.reason}>
                  {each.reason}
                </span>
                <Time at={each.createdAt} className="text-ink-3" />
              </li>
            ))}
          </ul>
        ))}
    </Section>
  )
}
