import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, expectSuccess } from '../../../api'
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
} from '../../../parts'
import { type Route, useRefresh } from '../use-providers'
import { bodyOf, draftOf, filledTargets, type RouteDraft } from './route-draft'
import { TargetsField } from './targets-field'
import { failureWords, strategyWords } from './words'

interface RouteFormProps {
  /** Null for a new one. */
  route: Route | null
  onClose(): void
  onCreated?(route: Route): void
}

const fields = ['name', 'strategy', 'targets', 'retry', 'timeoutMs', 'stickyBy', 'cache']
const failures = ['connect', 'timeout', '429', '5xx'] as const

export function RouteForm({ route, onClose, onCreated }: RouteFormProps) {
  const formId = useId()
  const [draft, setDraft] = useState(() => draftOf(route))
  const save = useSave(route, onClose, onCreated)
  const faultOf = faultsOf(save.error)
  const set = (change: Partial<RouteDraft>) => setDraft({ ...draft, ...change })
  const send = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(draft)
  }
  // The service counts the rows that it was sent: those that are filled.
  const faultOfRow = (n: number) => {
    const row = draft.targets[n]
    const sent = row ? filledTargets(draft).indexOf(row) : -1
    return sent < 0 ? null : faultOf(`targets.${sent}`)
  }
  const isOfRow = draft.targets.some((_, n) => faultOfRow(n) !== null)
  return (
    <Dialog
      open
      onClose={onClose}
      width="lg"
      title={route === null ? 'New route' : `Change ${route.name}`}
      description="Each attempt is admitted, judged, priced and recorded as a call of its own."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={save.isPending}>
            {route === null ? 'Create route' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={send} className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        <TextField
          label="Name"
          value={draft.name}
          onValue={(name) => set({ name })}
          fault={faultOf('name')}
          placeholder="smart"
          hint="What callers put into model; it wins over a model of that name"
          autoFocus
        />
        <Field label="Chooses" fault={faultOf('strategy')} hint={strategyWords[draft.strategy].long}>
          {({ id }) => (
            <Select<Route['strategy']>
              id={id}
              value={draft.strategy}
              onValue={(strategy) => set({ strategy })}
              choices={[
                { value: 'priority', label: 'In order' },
                { value: 'weighted', label: 'By weight' },
                { value: 'fastest', label: 'The fastest' },
              ]}
              className="w-full"
            />
          )}
        </Field>
        <TargetsField
          draft={draft}
          onDraft={setDraft}
          faultOf={faultOfRow}
          fault={isOfRow ? null : faultOf('targets')}
        />
        <fieldset className="m-0 border-0 p-0 sm:col-span-2">
          <legend className="mb-1 p-0 text-xs font-medium text-ink-2">Another attempt when a target</legend>
          <div className="flex flex-wrap gap-x-5 gap-y-1.5">
            {failures.map((failure) => (
              <label key={failure} className="flex items-center gap-2">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  checked={draft.on.includes(failure)}
                  onChange={({ target }) =>
                    set({
                      on: target.checked
                        ? [...draft.on, failure]
                        : draft.on.filter((each) => each !== failure),
                    })
                  }
                />
                {failureWords[failure]}
              </label>
            ))}
          </div>
        </fieldset>
        <Field label="At most" fault={faultOf('retry')} hint="After the first; never once the answer began">
          {({ id }) => (
            <Select
              id={id}
              value={draft.attempts}
              onValue={(attempts) => set({ attempts })}
              choices={['0', '1', '2', '3', '4', '5'].map((n) => ({
                value: n,
                label: n === '0' ? 'No other attempt' : `${n} more`,
              }))}
              className="w-full"
            />
          )}
        </Field>
        <TextField
          label="Whole call, s"
          value={draft.timeout}
          onValue={(timeout) => set({ timeout })}
          fault={faultOf('timeoutMs')}
          inputMode="decimal"
          placeholder="no limit of its own"
          hint="All attempts together"
        />
        <Field
          label="Stays with a target"
          fault={faultOf('stickyBy')}
          hint="Keeps a provider’s prompt cache warm"
        >
          {({ id }) => (
            <Select<Route['stickyBy']>
              id={id}
              value={draft.stickyBy}
              onValue={(stickyBy) => set({ stickyBy })}
              choices={[
                { value: 'none', label: 'No: each call chooses' },
                { value: 'session', label: 'The calls of a session' },
                { value: 'user', label: 'The calls of a person' },
              ]}
              className="w-full"
            />
          )}
        </Field>
        <TextField
          label="Answers again for, s"
          value={draft.cacheTtl}
          onValue={(cacheTtl) => set({ cacheTtl })}
          fault={faultOf('cache')}
          inputMode="numeric"
          placeholder="never"
          hint="The same request gets the kept answer, free of charge"
        />
        {draft.cacheTtl.trim() !== '' && (
          <Field label="To whom" hint="Who is given an answer that is kept">
            {({ id }) => (
              <Select<RouteDraft['cacheScope']>
                id={id}
                value={draft.cacheScope}
                onValue={(cacheScope) => set({ cacheScope })}
                choices={[
                  { value: 'key', label: 'The same key' },
                  { value: 'team', label: 'The same team' },
                  { value: 'tenant', label: 'Everybody of the tenant' },
                ]}
                className="w-full"
              />
            )}
          </Field>
        )}
        {save.error && !isBesideFields(save.error, fields) && (
          <ErrorState error={save.error} className="sm:col-span-2" />
        )}
      </form>
    </Dialog>
  )
}

function useSave(route: Route | null, onClose: () => void, onCreated: ((route: Route) => void) | undefined) {
  const refresh = useRefresh()
  return useMutation({
    async mutationFn(draft: RouteDraft) {
      const body = bodyOf(draft)
      return route === null
        ? await expectSuccess(api.POST('/v1/routes', { body }))
        : await expectSuccess(api.PATCH('/v1/routes/{id}', { params: { path: { id: route.id } }, body }))
    },
    async onSuccess(saved) {
      await refresh()
      onClose()
      say(`Route ${saved.name} is ${route === null ? 'created' : 'changed'}`)
      if (route === null) onCreated?.(saved)
    },
  })
}
