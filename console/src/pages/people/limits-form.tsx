import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, expectSuccess } from '../../api'
import {
  Button,
  Dialog,
  ErrorState,
  Field,
  faultsOf,
  isBesideFields,
  Select,
  say,
  TextArea,
  TextField,
} from '../../parts'

import { askUsage } from '../../usage'
import { readUsd } from './team-form'
import { type Limit, useRefreshPeople } from './use-people'

const readModels = (text: string) => [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))]

/** What somebody may spend and call, over all of their keys. */
export function LimitsForm({ limit, name, onClose }: { limit: Limit; name: string; onClose(): void }) {
  const formId = useId()
  const [cap, setCap] = useState(limit.budgetCapUsd === null ? '' : String(limit.budgetCapUsd))
  const [models, setModels] = useState(limit.allowedModels === null ? null : limit.allowedModels.join('\n'))
  const refresh = useRefreshPeople()
  // An empty cap is none; anything else that is no number must not become none.
  const isCapReadable = cap.trim() === '' || !Number.isNaN(readUsd(cap))
  const save = useMutation({
    mutationFn: async () =>
      await expectSuccess(
        api.PATCH('/v1/user-limits/{userId}', {
          params: { path: { userId: limit.userId } },
          body: {
            budgetCapUsd: cap.trim() === '' ? null : readUsd(cap),
            allowedModels: models === null ? null : readModels(models),
          },
        }),
      ),
    async onSuccess() {
      await refresh()
      say(`The limits of ${name} are set`)
      onClose()
    },
  })
  const faultOf = faultsOf(save.error)
  const listed = readModels(models ?? '')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isCapReadable) save.mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Limits of ${name}`}
      description="They hold for all keys of the person, from the next call."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={send} className="flex flex-col gap-3">
        <TextField
          label="Cap, USD a month"
          value={cap}
          onValue={setCap}
          inputMode="decimal"
          placeholder="no cap"
          fault={
            isCapReadable ? faultOf('budgetCapUsd') : 'must be an amount such as 100, or empty for no cap'
          }
          hint={
            isCapReadable && cap.trim() !== '' && readUsd(cap) <= limit.spentUsd
              ? 'Already spent: the next call will be refused'
              : 'A calendar month, UTC. Empty for no cap.'
          }
          autoFocus
        />
        <Field label="Models">
          {({ id }) => (
            <Select
              id={id}
              value={models === null ? 'all' : 'some'}
              onValue={(value) => setModels(value === 'all' ? null : '')}
              choices={[
                { value: 'all', label: 'All models' },
                { value: 'some', label: 'Only these' },
              ]}
              className="w-full"
            />
          )}
        </Field>
        {models !== null && (
          <>
            <Field
              label="Which"
              fault={faultOf('allowedModels')}
              hint={
                listed.length === 0
                  ? 'None as it stands: no model can be called. One per line; gpt-4o* allows all that begin so.'
                  : 'One per line; gpt-4o* allows all that begin so.'
              }
            >
              {(ids) => (
                <TextArea
                  {...ids}
                  rows={4}
                  className="mono !text-xs"
                  value={models}
                  onChange={(event) => setModels(event.target.value)}
                />
              )}
            </Field>
            <CalledModels listed={listed} onAdd={(model) => setModels([...listed, model].join('\n'))} />
          </>
        )}
        {save.error && !isBesideFields(save.error, ['budgetCapUsd', 'allowedModels']) && (
          <ErrorState error={save.error} />
        )}
      </form>
    </Dialog>
  )
}

/** Models that were called lately, to add by a click. */
function CalledModels({ listed, onAdd }: { listed: readonly string[]; onAdd(model: string): void }) {
  const called = useQuery(askUsage({ range: '90d', groupBy: 'model', interval: 'month' }))
  const offered = (called.data?.groups ?? [])
    .flatMap(({ key }) => (key === null || listed.includes(key) ? [] : [key]))
    .slice(0, 8)
  if (offered.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-1.5 text-xs text-ink-3">
      Called lately:
      {offered.map((model) => (
        <button
          key={model}
          type="button"
          className="mono rounded-sm border border-rule px-1.5 text-ink-2 hover:border-rule-2 hover:text-ink"
          onClick={() => onAdd(model)}
        >
          + {model}
        </button>
      ))}
    </div>
  )
}
