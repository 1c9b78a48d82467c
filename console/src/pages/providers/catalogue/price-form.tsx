import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, expectSuccess } from '../../../api'
import {
  Button,
  Dialog,
  ErrorState,
  Field,
  faultsOf,
  Input,
  isBesideFields,
  Select,
  say,
  TextField,
} from '../../../parts'
import { type CatalogueModel, useRefresh } from '../use-providers'
import { bodyOf, draftOf, modes, outputFields, type PriceDraft, tokenizers } from './price-draft'
import { PriceTerms } from './price-terms'
import { rates } from './prices'

interface PriceFormProps {
  /** Null for one that is typed in. */
  model: CatalogueModel | null
  provider?: string | undefined
  providers?: readonly string[]
  onClose(): void
  onSaved?(model: CatalogueModel): void
}

const fields = [
  'price',
  'mode',
  'contextWindow',
  'maxOutputTokens',
  'outputField',
  'tokenizer',
  'effectiveFrom',
]
const asKnown = { value: '', label: 'As it is known' } as const

/** A price of the tenant's own. Tiers and fees that it does not name hold as before. */
export function PriceForm({ model, provider: first, providers = [], onClose, onSaved }: PriceFormProps) {
  const formId = useId()
  const [provider, setProvider] = useState(model?.provider ?? first ?? providers[0] ?? '')
  const [name, setName] = useState(model?.model ?? '')
  const [draft, setDraft] = useState(() => draftOf(model))
  const set = (change: Partial<PriceDraft>) => setDraft((before) => ({ ...before, ...change }))
  const refresh = useRefresh()
  const save = useMutation({
    mutationFn: async () =>
      await expectSuccess(
        api.PUT('/v1/catalogue/{provider}/{model}', {
          params: { path: { provider, model: name.trim() } },
          body: bodyOf(draft, model),
        }),
      ),
    async onSuccess(saved) {
      await refresh()
      say(`The price of ${saved.model} is set`)
      onClose()
      onSaved?.(saved)
    },
  })
  const faultOf = faultsOf(save.error)
  const send = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      width="lg"
      title={model === null ? 'Price a model' : `Price of ${model.model}`}
      description="For this tenant alone. Receipts name the price that a call used; what was called stays as it was priced."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={save.isPending}>
            Set the price
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={send} className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        {model === null && (
          <>
            <Field label="Provider">
              {({ id }) => (
                <Select
                  id={id}
                  value={provider}
                  onValue={setProvider}
                  choices={providers.map((each) => ({ value: each, label: each }))}
                  className="w-full"
                />
              )}
            </Field>
            <TextField
              label="Model"
              value={name}
              onValue={setName}
              hint="As the provider names it"
              placeholder="llama-3.3-70b"
              autoFocus
            />
          </>
        )}
        <label className="flex items-center gap-2 text-sm sm:col-span-2">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={draft.isFree}
            onChange={({ target }) => set({ isFree: target.checked })}
          />
          Free: calls of it cost nothing, whatever they use
        </label>
        {!draft.isFree && (
          <>
            {rates.slice(0, 4).map((rate, n) => (
              <Rate key={rate.field} rate={rate} isMain={n < 2} {...{ draft, set, faultOf }} />
            ))}
            <details className="sm:col-span-2">
              <summary className="cursor-pointer py-1 text-xs font-medium text-ink-2 hover:text-ink">
                Audio, images, fees, tiers, long inputs
              </summary>
              <div className="grid gap-x-4 gap-y-3 pt-2 sm:grid-cols-2">
                {rates.slice(4).map((rate) => (
                  <Rate key={rate.field} rate={rate} isMain={false} {...{ draft, set, faultOf }} />
                ))}
                <TextField
                  label="Each image, USD"
                  value={draft.image}
                  onValue={(image) => set({ image })}
                  fault={faultOf('price.imageUsd')}
                  inputMode="decimal"
                  placeholder="not priced so"
                  className="num"
                />
                <PriceTerms draft={draft} onDraft={set} faultOf={faultOf} />
              </div>
            </details>
          </>
        )}
        <ModelTerms {...{ draft, set, faultOf }} />
        <Field label="In force from" fault={faultOf('effectiveFrom')} hint="Left empty: at once">
          {(ids) => (
            <Input
              {...ids}
              type="datetime-local"
              value={draft.from}
              onChange={({ target }) => set({ from: target.value })}
              className="num"
            />
          )}
        </Field>
        {save.error && (!isBesideFields(save.error, fields) || faultOf('price') !== null) && (
          <ErrorState error={save.error} className="sm:col-span-2" />
        )}
      </form>
    </Dialog>
  )
}

interface PartProps {
  draft: PriceDraft
  set(change: Partial<PriceDraft>): void
  faultOf(field: string): string | null
}

function Rate({
  rate: { field, name },
  isMain,
  draft,
  set,
  faultOf,
}: PartProps & { rate: (typeof rates)[number]; isMain: boolean }) {
  return (
    <TextField
      label={`${name}, USD`}
      hint={isMain ? 'For a million tokens' : undefined}
      value={draft.rates[field]}
      onValue={(value) => set({ rates: { ...draft.rates, [field]: value } })}
      fault={faultOf(`price.${field}`)}
      inputMode="decimal"
      placeholder={isMain ? '0' : 'as input'}
      className="num"
    />
  )
}

/** What is known of the model beside its price. */
function ModelTerms({ draft, set, faultOf }: PartProps) {
  return (
    <>
      <TextField
        label="Context, tokens"
        value={draft.context}
        onValue={(context) => set({ context })}
        fault={faultOf('contextWindow')}
        inputMode="numeric"
        placeholder="not known"
        className="num"
      />
      <TextField
        label="Output at most, tokens"
        value={draft.output}
        onValue={(output) => set({ output })}
        fault={faultOf('maxOutputTokens')}
        inputMode="numeric"
        placeholder="not known"
        className="num"
      />
      <Field label="What it does" fault={faultOf('mode')} hint="Decides which endpoints it can be called at">
        {({ id }) => (
          <Select<PriceDraft['mode'] & string>
            id={id}
            value={draft.mode ?? ''}
            onValue={(mode) => set({ mode })}
            choices={[asKnown, ...modes.map((mode) => ({ value: mode, label: mode }))]}
            className="w-full"
          />
        )}
      </Field>
      <Field
        label="Tokens are counted as"
        fault={faultOf('tokenizer')}
        hint="bytes: no token is shorter than one"
      >
        {({ id }) => (
          <Select<PriceDraft['tokenizer'] & string>
            id={id}
            value={draft.tokenizer ?? ''}
            onValue={(tokenizer) => set({ tokenizer })}
            choices={[asKnown, ...tokenizers.map((each) => ({ value: each, label: each }))]}
            className="w-full"
          />
        )}
      </Field>
      <Field label="Its maximum output goes into" fault={faultOf('outputField')} hint="Of a chat request">
        {({ id }) => (
          <Select<PriceDraft['outputField'] & string>
            id={id}
            value={draft.outputField ?? ''}
            onValue={(outputField) => set({ outputField })}
            choices={[asKnown, ...outputFields.map((each) => ({ value: each, label: each }))]}
            className="w-full"
          />
        )}
      </Field>
    </>
  )
}
