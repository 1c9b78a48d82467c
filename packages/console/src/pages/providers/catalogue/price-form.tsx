import { api, expectSuccess } from '../../../api'
import {
  Checkbox,
  type DraftForm,
  Field,
  FormDialog,
  Input,
  SelectField,
  TextField,
  useDraftForm,
} from '../../../components'
import { type CatalogueModel, providerPaths } from '../use-providers'
import { AdvancedPriceFields } from './advanced-price-fields'
import { modes, outputFields, type PriceDraft, toBody, toDraft, tokenizers } from './price-draft'
import { rates } from './prices'

interface PriceFormProps {
  /** Null for a model that the list does not have. */
  model: CatalogueModel | null
  provider?: string | undefined
  providers?: readonly string[]
  onClose(): void
  onSaved?(model: CatalogueModel): void
}

const apiPaths = {
  ...{ provider: null, model: null, isFree: null, image: 'price.imageUsd', rates: null },
  ...{ fees: 'price.feesUsd', tiers: 'price.tiers', longer: 'price.longer' },
  ...{ context: 'contextWindow', output: 'maxOutputTokens', from: 'effectiveFrom' },
} as const
const ratePaths = rates.map(({ field }) => `price.${field}`)
const asKnown = { value: '', label: 'Default' } as const

/** The tenant's own price. Tiers and fees that it does not name keep their current price. */
export function PriceForm({ model, provider, providers = [], onClose, onSaved }: PriceFormProps) {
  const form = useDraftForm({
    record: null,
    toDraft: () => ({ ...toDraft(model), provider: model?.provider ?? provider ?? providers[0] ?? '' }),
    toBody: (draft: PriceDraft) => ({ draft, price: toBody(draft, model) }),
    paths: apiPaths,
    morePaths: ratePaths,
    create: async ({ draft, price }): Promise<CatalogueModel> =>
      await expectSuccess(
        api.PUT('/v1/catalogue/{provider}/{model}', {
          params: { path: { provider: draft.provider, model: draft.model.trim() } },
          body: price,
        }),
      ),
    invalidates: providerPaths,
    message: (saved) => `Price of ${saved.model} saved`,
    onSaved,
    onClose,
  })
  const { draft, field, set } = form
  return (
    <FormDialog
      form={form}
      width="lg"
      columns={2}
      title={model === null ? 'Set the price of a model' : `Price of ${model.model}`}
      description="Applies to this tenant only, and to later calls. Each receipt names the price that was used."
      action="Save price"
    >
      {model === null && (
        <>
          <SelectField
            label="Provider"
            {...field('provider')}
            choices={providers.map((each) => ({ value: each, label: each }))}
          />
          <TextField
            label="Model"
            {...field('model')}
            hint="The provider’s name for the model"
            placeholder="llama-3.3-70b"
            autoFocus
          />
        </>
      )}
      <Checkbox
        label="Free: calls cost nothing"
        checked={draft.isFree}
        onChecked={(isFree) => set({ isFree })}
        className="text-sm sm:col-span-2"
      />
      {!draft.isFree && (
        <>
          {rates.slice(0, 4).map((rate, n) => (
            <Rate key={rate.field} form={form} rate={rate} isMain={n < 2} />
          ))}
          <details className="sm:col-span-2">
            <summary className="cursor-pointer py-1 text-xs font-medium text-ink-2 hover:text-ink">
              Audio, images, fees, tiers, long inputs
            </summary>
            <div className="grid gap-x-4 gap-y-3 pt-2 sm:grid-cols-2">
              {rates.slice(4).map((rate) => (
                <Rate key={rate.field} form={form} rate={rate} isMain={false} />
              ))}
              <TextField
                label="Per image (USD)"
                {...field('image')}
                inputMode="decimal"
                placeholder="none"
                className="num"
              />
              <AdvancedPriceFields draft={draft} onDraft={set} errorOf={form.errorOf} />
            </div>
          </details>
        </>
      )}
      <ModelSettings form={form} />
      <Field label="Effective from" error={field('from').error} hint="Empty: immediately">
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
    </FormDialog>
  )
}

interface PartProps {
  form: DraftForm<PriceDraft>
}

function Rate({ form, rate, isMain }: PartProps & { rate: (typeof rates)[number]; isMain: boolean }) {
  const { draft, set, errorOf } = form
  return (
    <TextField
      label={`${rate.name} (USD)`}
      hint={isMain ? 'Per million tokens' : undefined}
      value={draft.rates[rate.field]}
      onValue={(value) => set({ rates: { ...draft.rates, [rate.field]: value } })}
      error={errorOf(`price.${rate.field}`)}
      inputMode="decimal"
      placeholder={isMain ? '0' : 'same as input'}
      className="num"
    />
  )
}

const choicesOf = <T extends string>(values: readonly T[]) => [
  asKnown,
  ...values.map((value) => ({ value, label: value })),
]

/** Limits and features of the model, besides its price. */
function ModelSettings({ form: { field } }: PartProps) {
  const number = { inputMode: 'numeric', placeholder: 'unknown', className: 'num' } as const
  return (
    <>
      <TextField label="Context window (tokens)" {...field('context')} {...number} />
      <TextField label="Maximum output (tokens)" {...field('output')} {...number} />
      <SelectField<PriceDraft['mode'] & string>
        label="Mode"
        {...field('mode')}
        value={field('mode').value ?? ''}
        hint="Decides which endpoints accept the model"
        choices={choicesOf(modes)}
      />
      <SelectField<PriceDraft['tokenizer'] & string>
        label="Tokenizer"
        {...field('tokenizer')}
        value={field('tokenizer').value ?? ''}
        hint="bytes is an upper bound: no token is shorter than a byte"
        choices={choicesOf(tokenizers)}
      />
      <SelectField<PriceDraft['outputField'] & string>
        label="Maximum output field"
        {...field('outputField')}
        value={field('outputField').value ?? ''}
        hint="In chat requests"
        choices={choicesOf(outputFields)}
      />
    </>
  )
}
