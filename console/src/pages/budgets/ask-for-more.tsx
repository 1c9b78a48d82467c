import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, expectSuccess } from '../../api'
import { formatUsd } from '../../format'
import {
  Button,
  Dialog,
  ErrorState,
  Field,
  faultsOf,
  isBesideFields,
  say,
  TextArea,
  TextField,
} from '../../parts'
import { type Budget, limitOf } from './budget'
import { readAmount } from './budget-form'
import { useRefreshBudgets } from './use-budgets'

const fields = ['amountUsd', 'reason']

/** Files a request for more of a budget; a manager decides. */
export function AskForMore({ budget, onClose }: { budget: Budget; onClose(): void }) {
  const formId = useId()
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const [wasSent, setSent] = useState(false)
  const refresh = useRefreshBudgets()
  const amountUsd = readAmount(amount)
  const file = useMutation({
    mutationFn: async (body: { budgetId: string; amountUsd: number; reason: string }) =>
      await expectSuccess(api.POST('/v1/budgets/requests', { body })),
    onSuccess: async (request) => {
      say(`You asked for ${formatUsd(request.amountUsd)} more of “${budget.name}”`)
      await refresh()
      onClose()
    },
  })
  const faultOf = faultsOf(file.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSent(true)
    if (amountUsd === null || reason.trim() === '') return
    file.mutate({ budgetId: budget.id, amountUsd, reason: reason.trim() })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Ask for more of “${budget.name}”`}
      description={`${formatUsd(budget.remainingUsd)} of ${formatUsd(limitOf(budget))} is left. What is granted counts for the current period.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={file.isPending}>
            Ask
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-3">
        <TextField
          label="How much more, USD"
          value={amount}
          onValue={setAmount}
          inputMode="decimal"
          placeholder="50"
          autoFocus
          fault={
            (wasSent && amountUsd === null ? 'An amount in dollars, such as 50' : null) ??
            faultOf('amountUsd')
          }
        />
        <Field
          label="What for"
          fault={
            (wasSent && reason.trim() === '' ? 'Whoever decides needs a reason' : null) ?? faultOf('reason')
          }
        >
          {(ids) => (
            <TextArea
              {...ids}
              rows={3}
              spellCheck
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        {file.error !== null && !isBesideFields(file.error, fields) && <ErrorState error={file.error} />}
      </form>
    </Dialog>
  )
}
