import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, type components, expectSuccess } from '../../../api'
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
import { type RateField, rateOf, rates } from './prices'

interface PriceFormProps {
  /** Null for one that is typed in. */
  model: CatalogueModel | null
  provider?: string | undefined
  providers?: readonly string[]
  onClose(): void
  onSaved?(model: CatalogueModel): void
}

type Rates = Record<RateField, string>
const shownRates = rates.slice(0, 4)
const fields = ['price', 'contextWindow', 'maxOutputTokens', 'effectiveFrom']

/** A price of the tenant's own. Tiers and fees that it does not name hold as before. */
export function PriceForm({ model, provider: first, providers = [], onClose, onSaved }: PriceFormProps) {
  const formId = useId()
  const [provider, setProvider] = useState(model?.provider ?? first ?? providers[0] ?? '')
  const [name, setName] = useState(model?.model ?? '')
  const [draft, setDraft] = useState<Rates>(() => ratesOf(model))
  const [context, setContext] = useState(String(model?.limits.contextWindow ?? ''))
  const [output, setOutput] = useState(String(model?.limits.maxOutputTokens ?? ''))
  const [from, setFrom] = useState('')
  const refresh = useRefresh()
  const save = useMutation({
    mutationFn: async () =>
      await expectSuccess(
        api.PUT('/v1/catalogue/{provider}/{model}', {
          params: { path: { provider, model: name.trim() } },
          body: {
            price: priceOf(draft, model),
            ...(context.trim() !== '' && { contextWindow: Number(context) }),
            ...(output.trim() !== '' && { maxOutputTokens: Number(output) }),
            ...(from !== '' && { effectiveFrom: new Date(from).toISOString() }),
          },
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
        {shownRates.map(({ field, name: rate }, n) => (
          <TextField
            key={field}
            label={`${rate}, USD`}
            hint={n < 2 ? 'For a million tokens' : undefined}
            value={draft[field]}
            onValue={(value) => setDraft({ ...draft, [field]: value })}
            fault={faultOf(`price.${field}`)}
            inputMode="decimal"
            placeholder={n < 2 ? '0' : 'as input'}
            className="num"
          />
        ))}
        <TextField
          label="Context, tokens"
          value={context}
          onValue={setContext}
          fault={faultOf('contextWindow')}
          inputMode="numeric"
          placeholder="not known"
          className="num"
        />
        <TextField
          label="Output at most, tokens"
          value={output}
          onValue={setOutput}
          fault={faultOf('maxOutputTokens')}
          inputMode="numeric"
          placeholder="not known"
          className="num"
        />
        <Field label="In force from" fault={faultOf('effectiveFrom')} hint="Left empty: at once">
          {(ids) => (
            <Input
              {...ids}
              type="datetime-local"
              value={from}
              onChange={({ target }) => setFrom(target.value)}
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

function ratesOf(model: CatalogueModel | null): Rates {
  const text = (field: RateField) => {
    const usd = rateOf(model?.price ?? null, field)
    return usd === null ? '' : String(usd)
  }
  return {
    inputUsdPerMTok: text('inputUsdPerMTok'),
    outputUsdPerMTok: text('outputUsdPerMTok'),
    cacheReadUsdPerMTok: text('cacheReadUsdPerMTok'),
    cacheWriteUsdPerMTok: text('cacheWriteUsdPerMTok'),
    cacheWriteHourUsdPerMTok: text('cacheWriteHourUsdPerMTok'),
    audioInputUsdPerMTok: text('audioInputUsdPerMTok'),
    audioOutputUsdPerMTok: text('audioOutputUsdPerMTok'),
  }
}

type Price = Exclude<components['schemas']['SetModelPrice']['price'], 'free'>

/** Rates that were typed; those that are not in the form stay as they are. */
function priceOf(draft: Rates, model: CatalogueModel | null): Price {
  const image = rateOf(model?.price ?? null, 'imageUsd')
  const further: Partial<Record<RateField, number>> = Object.fromEntries(
    rates
      .slice(2)
      .flatMap(({ field }) => (draft[field].trim() === '' ? [] : [[field, Number(draft[field])]])),
  )
  return {
    inputUsdPerMTok: Number(draft.inputUsdPerMTok),
    outputUsdPerMTok: Number(draft.outputUsdPerMTok),
    ...further,
    ...(image !== null && { imageUsd: image }),
  }
}
