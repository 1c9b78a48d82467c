import { useId } from 'react'
import { api, type components, expectSuccess } from '../../api'
import { FormDialog, parseNumber, SelectField, TextField, useDraftForm } from '../../components'
import { formatUsd } from '../../format'
import { useKeys, useNames } from '../keys/use-keys'
import { type Budget, periodNames } from './budget'
import { budgetPaths } from './use-budgets'

type CreateBudget = components['schemas']['CreateBudget']
type ScopeType = Budget['scope']['type']

interface Draft {
  name: string
  scopeType: ScopeType
  scopeId: string
  amount: string
  period: Budget['period']
  threshold: string
  action: Budget['action']
}

const apiPaths = {
  scopeType: null,
  scopeId: 'scope',
  amount: 'amountUsd',
  threshold: 'thresholdPct',
} as const

const scopeChoices: { value: ScopeType; label: string }[] = [
  { value: 'tenant', label: 'The whole tenant' },
  { value: 'team', label: 'A team' },
  { value: 'user', label: 'A person (all keys)' },
  { value: 'key', label: 'A key' },
  { value: 'tag', label: 'A tag' },
  { value: 'session', label: 'A session' },
]
const periodChoices = [
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly, from Monday' },
  { value: 'monthly', label: 'Monthly' },
  { value: 'total', label: 'Total (never resets)' },
] as const
const actionChoices = [
  { value: 'block', label: 'Block calls that exceed it' },
  { value: 'alert', label: 'Alert only' },
] as const

const toDraft = (budget: Budget | null): Draft => ({
  name: budget?.name ?? '',
  scopeType: budget?.scope.type ?? 'tenant',
  scopeId: budget && budget.scope.type !== 'tenant' ? budget.scope.id : '',
  amount: budget ? String(budget.amountUsd) : '',
  period: budget?.period ?? 'monthly',
  threshold: String(budget?.thresholdPct ?? 80),
  action: budget?.action ?? 'block',
})

const toBody = ({ scopeType, scopeId, ...draft }: Draft): CreateBudget => ({
  name: draft.name.trim(),
  scope: scopeType === 'tenant' ? { type: 'tenant' } : { type: scopeType, id: scopeId.trim() },
  amountUsd: parseNumber(draft.amount),
  period: draft.period,
  thresholdPct: parseNumber(draft.threshold),
  action: draft.action,
})

const validate = (draft: Draft) => ({
  name: draft.name.trim() === '' ? 'Enter a name' : null,
  amountUsd: Number.isNaN(parseNumber(draft.amount)) ? 'Enter an amount in dollars, such as 250' : null,
  thresholdPct: Number.isNaN(parseNumber(draft.threshold)) ? 'Enter a whole number from 1 to 100' : null,
  scope:
    draft.scopeType !== 'tenant' && draft.scopeId.trim() === '' ? 'Choose what the budget applies to' : null,
})

/** Creates a budget, or changes one except for its scope. */
export function BudgetForm({ budget, onClose }: { budget: Budget | null; onClose(): void }) {
  const form = useDraftForm({
    record: budget,
    toDraft,
    toBody,
    validate,
    paths: apiPaths,
    create: async (body) => await expectSuccess(api.POST('/v1/budgets', { body })),
    update: async (body, { id }) =>
      await expectSuccess(api.PATCH('/v1/budgets/{id}', { params: { path: { id } }, body })),
    invalidates: budgetPaths,
    message: ({ name }) => `Budget “${name}” ${budget === null ? 'created' : 'saved'}`,
    onClose,
  })
  const { draft, field, set } = form
  return (
    <FormDialog
      form={form}
      title={budget === null ? 'New budget' : `Edit “${budget.name}”`}
      action={budget === null ? 'Create budget' : 'Save'}
      width="lg"
      columns={2}
    >
      <div className="sm:col-span-2">
        <TextField label="Name" {...field('name')} placeholder="Research, monthly" autoFocus />
      </div>
      {budget === null && (
        <>
          <SelectField
            label="Scope"
            value={draft.scopeType}
            onValue={(scopeType) => set({ scopeType, scopeId: '' })}
            choices={scopeChoices}
          />
          <ScopeField type={draft.scopeType} {...field('scopeId')} />
        </>
      )}
      <TextField label="Amount (USD)" {...field('amount')} inputMode="decimal" placeholder="250" />
      <SelectField
        label="Period"
        {...field('period')}
        hint="Calendar periods in UTC"
        choices={periodChoices}
      />
      <TextField
        label="Alert threshold (%)"
        {...field('threshold')}
        inputMode="numeric"
        hint="Sends one alert per period, to webhooks and the console"
      />
      <SelectField label="When the budget is used up" {...field('action')} choices={actionChoices} />
      <p role="status" className="m-0 text-sm text-ink-2 sm:col-span-2">
        {describeEffect(draft, budget)}
      </p>
    </FormDialog>
  )
}

/** Describes the effect of saving the budget. */
function describeEffect(draft: Draft, budget: Budget | null): string {
  const amountUsd = parseNumber(draft.amount)
  if (Number.isNaN(amountUsd)) return 'Spend earlier in the current period counts towards the budget.'
  const limit = `${formatUsd(amountUsd)} ${periodNames[draft.period]}`
  if (draft.action === 'alert') return `Calls continue above ${limit}; you receive an alert.`
  if (budget !== null && draft.period === budget.period && budget.spentUsd >= amountUsd + budget.grantedUsd)
    return `${formatUsd(budget.spentUsd)} is already spent: every further call in this period will be blocked (402).`
  return `Calls that would exceed ${limit} are blocked (402), also when many run at the same time. Spend earlier in the current period counts.`
}

interface ScopeFieldProps {
  type: ScopeType
  value: string
  onValue(value: string): void
  error: string | null
}

function ScopeField({ type, ...field }: ScopeFieldProps) {
  const { teams, people } = useNames()
  const keys = useKeys({ status: 'active' })
  const listId = useId()
  const choose = { value: '', label: 'Choose …' }
  switch (type) {
    case 'tenant':
      return <div className="max-sm:hidden" />
    case 'team':
      return (
        <SelectField
          label="Team"
          {...field}
          choices={[choose, ...teams.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )
    case 'key':
      return (
        <SelectField
          label="Key"
          {...field}
          choices={[
            choose,
            ...(keys.data ?? []).map(({ id, name, hint }) => ({ value: id, label: `${name} …${hint}` })),
          ]}
        />
      )
    case 'user':
      return (
        <>
          <TextField label="Person" {...field} list={listId} hint="User ID" />
          <datalist id={listId}>
            {people.map(({ userId, name }) => (
              <option key={userId} value={userId}>
                {name}
              </option>
            ))}
          </datalist>
        </>
      )
    case 'tag':
      return (
        <TextField
          label="Tag"
          {...field}
          placeholder="project=alpha"
          hint="project=* gives every project this amount"
        />
      )
    case 'session':
      return (
        <TextField
          label="Session"
          {...field}
          placeholder="*"
          hint="* gives every session this amount: a limit for each run of an agent"
        />
      )
  }
}
