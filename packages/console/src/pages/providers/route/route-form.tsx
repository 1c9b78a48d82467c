import { api, expectSuccess } from '../../../api'
import { Checkbox, FormDialog, SelectField, TextField, useDraftForm } from '../../../components'
import { providerPaths, type Route } from '../use-providers'
import { failureNames, strategies } from './descriptions'
import { filledTargets, toBody, toDraft } from './route-draft'
import { TargetsField } from './targets-field'

interface RouteFormProps {
  /** Null creates a new route. */
  route: Route | null
  onClose(): void
  onCreated?(route: Route): void
}

const apiPaths = {
  attempts: 'retry',
  on: null,
  timeout: 'timeoutMs',
  cacheTtl: 'cache',
  cacheScope: null,
} as const
const failures = ['connect', 'timeout', '429', '5xx'] as const
const retryChoices = ['0', '1', '2', '3', '4', '5'].map((n) => ({
  value: n,
  label: n === '0' ? 'No retries' : n,
}))

export function RouteForm({ route, onClose, onCreated }: RouteFormProps) {
  const form = useDraftForm({
    record: route,
    toDraft,
    toBody,
    paths: apiPaths,
    create: async (body) => await expectSuccess(api.POST('/v1/routes', { body })),
    update: async (body, { id }) =>
      await expectSuccess(api.PATCH('/v1/routes/{id}', { params: { path: { id } }, body })),
    invalidates: providerPaths,
    message: ({ name }) => `Route “${name}” ${route === null ? 'created' : 'saved'}`,
    onSaved: (saved) => route === null && onCreated?.(saved),
    onClose,
  })
  const { draft, field, set, errorOf } = form
  // The API numbers the rows that it received, which leave out the empty ones.
  const errorOfRow = (n: number) => {
    const row = draft.targets[n]
    const sent = row ? filledTargets(draft).indexOf(row) : -1
    return sent < 0 ? null : errorOf(`targets.${sent}`)
  }
  const isOfRow = draft.targets.some((_, n) => errorOfRow(n) !== null)
  return (
    <FormDialog
      form={form}
      width="lg"
      columns={2}
      title={route === null ? 'New route' : `Edit ${route.name}`}
      description="Limits, policies and prices apply to each attempt, and each attempt has its own receipt."
      action={route === null ? 'Create route' : 'Save'}
    >
      <TextField
        label="Name"
        {...field('name')}
        placeholder="smart"
        hint="Callers send it as model. It takes precedence over a model of that name"
        autoFocus
      />
      <SelectField
        label="Strategy"
        {...field('strategy')}
        hint={strategies[draft.strategy].long}
        choices={(['priority', 'weighted', 'fastest'] as const).map((value) => ({
          value,
          label: strategies[value].short,
        }))}
      />
      <TargetsField
        draft={draft}
        onTargets={(targets) => set({ targets })}
        errorOf={errorOfRow}
        error={isOfRow ? null : errorOf('targets')}
      />
      <fieldset className="m-0 border-0 p-0 sm:col-span-2">
        <legend className="mb-1 p-0 text-xs font-medium text-ink-2">Retry on</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-1.5">
          {failures.map((failure) => (
            <Checkbox
              key={failure}
              label={failureNames[failure]}
              checked={draft.on.includes(failure)}
              onChecked={(isOn) =>
                set({ on: isOn ? [...draft.on, failure] : draft.on.filter((each) => each !== failure) })
              }
            />
          ))}
        </div>
      </fieldset>
      <SelectField
        label="Maximum retries"
        {...field('attempts')}
        hint="Never after the response has started"
        choices={retryChoices}
      />
      <TextField
        label="Timeout (seconds)"
        {...field('timeout')}
        inputMode="decimal"
        placeholder="none"
        hint="For all attempts together"
      />
      <SelectField
        label="Sticky by"
        {...field('stickyBy')}
        hint="Keeps the prompt cache of the provider warm"
        choices={[
          { value: 'none', label: 'None' },
          { value: 'session', label: 'Session' },
          { value: 'user', label: 'User' },
        ]}
      />
      <TextField
        label="Cache TTL (seconds)"
        {...field('cacheTtl')}
        inputMode="numeric"
        placeholder="no cache"
        hint="Identical requests get the cached response, free of charge"
      />
      {draft.cacheTtl.trim() !== '' && (
        <SelectField
          label="Cache scope"
          {...field('cacheScope')}
          hint="Who shares cached responses"
          choices={[
            { value: 'key', label: 'The same key' },
            { value: 'team', label: 'The same team' },
            { value: 'tenant', label: 'The whole tenant' },
          ]}
        />
      )}
    </FormDialog>
  )
}
