import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, type components, expectSuccess } from '../../api'
import { formatUsd } from '../../format'
import {
  Button,
  Dialog,
  ErrorState,
  Field,
  faultsOf,
  isBesideFields,
  Select,
  say,
  TextField,
} from '../../parts'
import { useKeys, useNames } from '../keys/use-keys'
import { type Budget, periodNames } from './budget'
import { useRefreshBudgets } from './use-budgets'

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

const fields = ['name', 'scope', 'amountUsd', 'period', 'thresholdPct', 'action']

const scopeChoices: { value: ScopeType; label: string }[] = [
  { value: 'tenant', label: 'Everything together' },
  { value: 'team', label: 'A team' },
  { value: 'user', label: 'A person, over all keys' },
  { value: 'key', label: 'A key' },
  { value: 'tag', label: 'A tag' },
  { value: 'session', label: 'A session' },
]
const periodChoices = [
  { value: 'daily', label: 'Day' },
  { value: 'weekly', label: 'Week, from Monday' },
  { value: 'monthly', label: 'Month' },
  { value: 'total', label: 'In all, it never starts again' },
] as const
const actionChoices = [
  { value: 'block', label: 'Refuse calls that do not fit' },
  { value: 'alert', label: 'Only alert' },
] as const

const draftOf = (budget: Budget | null): Draft => ({
  name: budget?.name ?? '',
  scopeType: budget?.scope.type ?? 'tenant',
  scopeId: budget && budget.scope.type !== 'tenant' ? budget.scope.id : '',
  amount: budget ? String(budget.amountUsd) : '',
  period: budget?.period ?? 'monthly',
  threshold: String(budget?.thresholdPct ?? 80),
  action: budget?.action ?? 'block',
})

/** 1,000 and $1000 are the same amount; null for what is none. */
export function readAmount(text: string): number | null {
  const digits = text.replace(/[\s,$]/g, '')
  return /^\d*\.?\d+$|^\d+\.$/.test(digits) ? Number(digits) : null
}

/** A new budget, or a change of one: whose it is stays. */
export function BudgetForm({ budget, onClose }: { budget: Budget | null; onClose(): void }) {
  const formId = useId()
  const [draft, setDraft] = useState(() => draftOf(budget))
  const [wasSent, setSent] = useState(false)
  const refresh = useRefreshBudgets()
  const amountUsd = readAmount(draft.amount)
  const thresholdPct = readAmount(draft.threshold)
  const save = useMutation({
    mutationFn: async (body: CreateBudget) => {
      if (budget === null) return await expectSuccess(api.POST('/v1/budgets', { body }))
      const { scope: _, ...changes } = body
      return await expectSuccess(
        api.PATCH('/v1/budgets/{id}', { params: { path: { id: budget.id } }, body: changes }),
      )
    },
    onSuccess: async ({ name }) => {
      say(budget === null ? `“${name}” counts from now on` : `“${name}” is changed`)
      await refresh()
      onClose()
    },
  })
  const faultOf = faultsOf(save.error)
  const own = {
    name: draft.name.trim() === '' ? 'Say what it is for' : null,
    amountUsd: amountUsd === null ? 'An amount in dollars, such as 250' : null,
    thresholdPct: thresholdPct === null ? 'A whole number from 1 to 100' : null,
    scope: draft.scopeType !== 'tenant' && draft.scopeId.trim() === '' ? 'Say which' : null,
  }
  const fault = (field: keyof typeof own) => (wasSent ? own[field] : null) ?? faultOf(field)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSent(true)
    if (amountUsd === null || thresholdPct === null || own.name !== null || own.scope !== null) return
    save.mutate({
      name: draft.name.trim(),
      scope:
        draft.scopeType === 'tenant'
          ? { type: 'tenant' }
          : { type: draft.scopeType, id: draft.scopeId.trim() },
      amountUsd,
      period: draft.period,
      thresholdPct,
      action: draft.action,
    })
  }
  const set = <F extends keyof Draft>(field: F) => ({
    value: draft[field],
    onValue: (value: Draft[F]) => setDraft({ ...draft, [field]: value }),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={budget === null ? 'New budget' : `Change “${budget.name}”`}
      width="lg"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={save.isPending}>
            {budget === null ? 'Make the budget' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        <div className="sm:col-span-2">
          <TextField
            label="Name"
            {...set('name')}
            fault={fault('name')}
            placeholder="Research, monthly"
            autoFocus
          />
        </div>
        {budget === null && (
          <>
            <Field label="For">
              {({ id }) => (
                <Select
                  id={id}
                  value={draft.scopeType}
                  onValue={(scopeType) => setDraft({ ...draft, scopeType, scopeId: '' })}
                  choices={scopeChoices}
                  className="w-full"
                />
              )}
            </Field>
            <ScopeField
              type={draft.scopeType}
              value={draft.scopeId}
              onValue={set('scopeId').onValue}
              fault={fault('scope')}
            />
          </>
        )}
        <TextField
          label="Amount, USD"
          {...set('amount')}
          inputMode="decimal"
          placeholder="250"
          fault={fault('amountUsd')}
        />
        <Field label="In each" hint="On the calendar of UTC">
          {({ id }) => <Select id={id} {...set('period')} choices={periodChoices} className="w-full" />}
        </Field>
        <TextField
          label="Alert at, per cent"
          {...set('threshold')}
          inputMode="numeric"
          fault={fault('thresholdPct')}
          hint="Webhooks and the console are told once in a period"
        />
        <Field label="When it is spent">
          {({ id }) => <Select id={id} {...set('action')} choices={actionChoices} className="w-full" />}
        </Field>
        <p role="status" className="m-0 text-sm text-ink-2 sm:col-span-2">
          {whatHappens(draft, budget, amountUsd)}
        </p>
        {save.error !== null && !isBesideFields(save.error, fields) && (
          <ErrorState error={save.error} className="sm:col-span-2" />
        )}
      </form>
    </Dialog>
  )
}

/** What saving it will do, in a sentence. */
function whatHappens(draft: Draft, budget: Budget | null, amountUsd: number | null): string {
  if (amountUsd === null) return 'What was spent in the current period before it was made counts too.'
  const each = `${formatUsd(amountUsd)} ${periodNames[draft.period]}`
  if (draft.action === 'alert') return `Calls go on past ${each}; you are told.`
  if (budget !== null && draft.period === budget.period && budget.spentUsd >= amountUsd + budget.grantedUsd)
    return `${formatUsd(budget.spentUsd)} is spent already: every further call of this period will be refused (402).`
  return `A call that would not fit into ${each} is refused (402), however many run at once. What was spent in the current period counts.`
}

function ScopeField({
  type,
  value,
  onValue,
  fault,
}: {
  type: ScopeType
  value: string
  onValue(value: string): void
  fault: string | null
}) {
  const { teams, people } = useNames()
  const keys = useKeys({ status: 'active' })
  const listId = useId()
  if (type === 'tenant') return <div className="max-sm:hidden" />
  if (type === 'team')
    return (
      <Field label="Team" fault={fault}>
        {({ id }) => (
          <Select
            id={id}
            value={value}
            onValue={onValue}
            choices={[
              { value: '', label: 'Choose …' },
              ...teams.map((team) => ({ value: team.id, label: team.name })),
            ]}
            className="w-full"
          />
        )}
      </Field>
    )
  if (type === 'key')
    return (
      <Field label="Key" fault={fault}>
        {({ id }) => (
          <Select
            id={id}
            value={value}
            onValue={onValue}
            choices={[
              { value: '', label: 'Choose …' },
              ...(keys.data ?? []).map((key) => ({ value: key.id, label: `${key.name} …${key.hint}` })),
            ]}
            className="w-full"
          />
        )}
      </Field>
    )
  if (type === 'user')
    return (
      <>
        <TextField
          label="Person"
          value={value}
          onValue={onValue}
          list={listId}
          fault={fault}
          hint="By user id"
        />
        <datalist id={listId}>
          {people.map(({ userId, name }) => (
            <option key={userId} value={userId}>
              {name}
            </option>
          ))}
        </datalist>
      </>
    )
  return type === 'tag' ? (
    <TextField
      label="Tag"
      value={value}
      onValue={onValue}
      placeholder="project=alpha"
      fault={fault}
      hint="project=* gives each project the amount"
    />
  ) : (
    <TextField
      label="Session"
      value={value}
      onValue={onValue}
      placeholder="*"
      fault={fault}
      hint="* gives each session the amount: a limit for every run of an agent"
    />
  )
}
