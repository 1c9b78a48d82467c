import { api, expectSuccess } from '../../../api'
import { FormDialog, parseNumber, TextAreaField, TextField, useDraftForm } from '../../../components'
import { formatUsd } from '../../../format'
import { type Budget, limitOf } from '../budget'
import { budgetPaths } from '../use-budgets'

/** Requests an increase of a budget, which a manager decides on. */
export function RequestIncrease({ budget, onClose }: { budget: Budget; onClose(): void }) {
  const form = useDraftForm({
    record: null,
    toDraft: () => ({ amount: '', reason: '' }),
    toBody: ({ amount, reason }) => ({
      budgetId: budget.id,
      amountUsd: parseNumber(amount),
      reason: reason.trim(),
    }),
    validate: ({ amount, reason }) => ({
      amountUsd: Number.isNaN(parseNumber(amount)) ? 'Enter an amount in dollars, such as 50' : null,
      reason: reason.trim() === '' ? 'Enter a reason for the approver' : null,
    }),
    paths: { amount: 'amountUsd' },
    create: async (body) => await expectSuccess(api.POST('/v1/budgets/requests', { body })),
    invalidates: budgetPaths,
    message: ({ amountUsd }) => `Requested ${formatUsd(amountUsd)} more for “${budget.name}”`,
    onClose,
  })
  return (
    <FormDialog
      form={form}
      title={`Request an increase of “${budget.name}”`}
      description={`${formatUsd(budget.remainingUsd)} of ${formatUsd(limitOf(budget))} is left. A granted increase applies to the current period.`}
      action="Send request"
    >
      <TextField
        label="Increase (USD)"
        {...form.field('amount')}
        inputMode="decimal"
        placeholder="50"
        autoFocus
      />
      <TextAreaField label="Reason" {...form.field('reason')} rows={3} spellCheck />
    </FormDialog>
  )
}
