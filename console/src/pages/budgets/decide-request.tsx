import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { api, ask, expectSuccess } from '../../api'
import { CallsLink } from '../../calls-link'
import { formatUsd, plural } from '../../format'
import {
  Button,
  Confirm,
  Dialog,
  ErrorState,
  Field,
  faultsOf,
  isBesideFields,
  Money,
  Section,
  Skeleton,
  say,
  TextArea,
  TextField,
  Time,
} from '../../parts'
import { askUsage } from '../../usage'
import { useMonth } from '../keys/use-keys'
import { type Budget, type BudgetRequest, limitOf } from './budget'
import { readAmount } from './budget-form'
import { RequestStatus, useAskerName } from './request-words'
import { useRefreshBudgets } from './use-budgets'

interface DecideProps {
  request: BudgetRequest
  budget: Budget | undefined
  onClose(): void
}

/** Grants all of it or a part, with a word to whoever asked. */
export function ApproveRequest({ request, budget, onClose }: DecideProps) {
  const formId = useId()
  const askerName = useAskerName()
  const [amount, setAmount] = useState(String(request.amountUsd))
  const [note, setNote] = useState('')
  const refresh = useRefreshBudgets()
  const amountUsd = readAmount(amount)
  const approve = useMutation({
    mutationFn: async (body: { amountUsd: number; note?: string }) =>
      await expectSuccess(
        api.POST('/v1/budgets/requests/{id}/approve', { params: { path: { id: request.id } }, body }),
      ),
    onSuccess: async ({ grantedUsd }) => {
      say(`${formatUsd(grantedUsd ?? 0)} is granted`)
      await refresh()
      onClose()
    },
  })
  const faultOf = faultsOf(approve.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (amountUsd !== null) approve.mutate({ amountUsd, ...(note.trim() !== '' && { note: note.trim() }) })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      width="lg"
      title={`${askerName(request)} asks for ${formatUsd(request.amountUsd)}`}
      description={`“${request.reason}”`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={approve.isPending}>
            {amountUsd === null ? 'Grant' : `Grant ${formatUsd(amountUsd)}`}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="mb-6 flex flex-col gap-3">
        <TextField
          label="Grant, USD"
          value={amount}
          onValue={setAmount}
          inputMode="decimal"
          autoFocus
          fault={(amountUsd === null ? 'An amount in dollars' : null) ?? faultOf('amountUsd')}
          hint="All of what was asked for, or less"
        />
        <Field label="A word to go along" fault={faultOf('note')}>
          {(ids) => (
            <TextArea
              {...ids}
              rows={2}
              spellCheck
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
          )}
        </Field>
        {budget && amountUsd !== null && (
          <p role="status" className="m-0 text-ink-2">
            “{budget.name}” then has {formatUsd(limitOf(budget) + amountUsd)} in place of{' '}
            {formatUsd(limitOf(budget))} for this period, and {formatUsd(budget.remainingUsd + amountUsd)}{' '}
            left.
          </p>
        )}
        {approve.error !== null && !isBesideFields(approve.error, ['amountUsd', 'note']) && (
          <ErrorState error={approve.error} />
        )}
      </form>
      <AskerHistory request={request} />
    </Dialog>
  )
}

/** Says no, once. */
export function DenyRequest({ request, budget, onClose }: DecideProps) {
  const refresh = useRefreshBudgets()
  const askerName = useAskerName()
  const deny = useMutation({
    mutationFn: async () =>
      await expectSuccess(
        api.POST('/v1/budgets/requests/{id}/deny', { params: { path: { id: request.id } } }),
      ),
    onSuccess: async () => {
      say('The request is denied')
      await refresh()
      onClose()
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Deny ${askerName(request)} ${formatUsd(request.amountUsd)}?`}
      action="Deny the request"
      onConfirm={() => deny.mutate()}
      isBusy={deny.isPending}
    >
      <p className="m-0">
        {budget
          ? `“${budget.name}” stays at ${formatUsd(limitOf(budget))}, with ${formatUsd(budget.remainingUsd)} left in this period.`
          : 'The budget stays as it is.'}{' '}
        They see that it was denied, and may ask again.
      </p>
      {deny.error !== null && <ErrorState error={deny.error} className="mt-3" />}
    </Confirm>
  )
}

/** What the asker spent, and asked for before. */
function AskerHistory({ request }: { request: BudgetRequest }) {
  const { keyId, userId } = request.requestedBy
  const month = useMonth()
  const filter = userId !== null ? { userId } : { keyId: keyId ?? '' }
  const usage = useQuery(
    askUsage({ ...filter, from: month.from.toISOString(), timeZone: month.timeZone, interval: 'month' }),
  )
  const earlier = useQuery({
    ...ask('/v1/budgets/requests', { params: { query: { ...(userId !== null && { userId }), limit: 20 } } }),
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
            who is it →
          </Link>
        ) : (
          keyId !== null && (
            <Link to="/keys" search={{ key: keyId }} className="link">
              the key →
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
          <p className="m-0 text-ink-2">No earlier request.</p>
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
