import type { components } from '../../../api'
import type { CatalogueModel } from '../use-providers'
import { entriesOf, type RateField, rateOf, rates } from './prices'

type SetPrice = components['schemas']['SetModelPrice']
type Terms = Exclude<SetPrice['price'], 'free'>
type Tier = NonNullable<Terms['tiers']>[string]

/** The modes of a model; the empty value keeps the known one. */
export const modes = [
  'chat',
  'responses',
  'completion',
  'embedding',
  'moderation',
  'image',
  'speech',
  'transcription',
  'rerank',
] as const satisfies readonly NonNullable<SetPrice['mode']>[]
export const outputFields = ['max_tokens', 'max_completion_tokens'] as const
export const tokenizers = ['o200k', 'cl100k', 'claude', 'bytes'] as const

export interface FeeDraft {
  name: string
  usd: string
}
export interface TierDraft {
  name: string
  /** The factor on all rates; empty if the tier has rates of its own. */
  factor: string
  input: string
  output: string
}
export interface LongInputDraft {
  above: string
  input: string
  output: string
}

const rateFields = rates.map(({ field }) => field)

/** The values of the price form: numbers are text. */
export interface PriceDraft {
  provider: string
  model: string
  isFree: boolean
  rates: Record<RateField, string>
  image: string
  fees: FeeDraft[]
  tiers: TierDraft[]
  longer: LongInputDraft[]
  mode: SetPrice['mode'] | ''
  outputField: SetPrice['outputField'] | ''
  tokenizer: SetPrice['tokenizer'] | ''
  context: string
  output: string
  /** A local date and time; empty for immediately. */
  from: string
}

export const emptyFee: FeeDraft = { name: '', usd: '' }
export const emptyTier: TierDraft = { name: '', factor: '', input: '', output: '' }
export const emptyLongInput: LongInputDraft = { above: '', input: '', output: '' }

const text = (value: unknown) => (typeof value === 'number' ? String(value) : '')

export function toDraft(model: CatalogueModel | null): PriceDraft {
  const price = model?.price ?? null
  return {
    provider: model?.provider ?? '',
    model: model?.model ?? '',
    isFree: false,
    rates: Object.fromEntries(rateFields.map((field) => [field, text(rateOf(price, field))])) as Record<
      RateField,
      string
    >,
    image: text(rateOf(price, 'imageUsd')),
    fees: entriesOf(price?.feesUsd).map(([name, usd]) => ({ name, usd: text(usd) })),
    tiers: entriesOf(price?.tiers).map(([name, tier]) => {
      const { factor, inputUsdPerMTok, outputUsdPerMTok } = tierOf(tier)
      return {
        name,
        factor: text(factor),
        input: text(inputUsdPerMTok),
        output: text(outputUsdPerMTok),
      }
    }),
    longer: longInputsOf(price).map(({ aboveInputTokens, inputUsdPerMTok, outputUsdPerMTok }) => ({
      above: text(aboveInputTokens),
      input: text(inputUsdPerMTok),
      output: text(outputUsdPerMTok),
    })),
    mode: '',
    outputField: '',
    tokenizer: '',
    context: text(model?.limits.contextWindow),
    output: text(model?.limits.maxOutputTokens),
    from: '',
  }
}

/** The request body. Members without a field keep their value, such as the cache rates of a tier. */
export function toBody(draft: PriceDraft, model: CatalogueModel | null): SetPrice {
  return {
    price: draft.isFree ? 'free' : termsOf(draft, model),
    ...(draft.mode !== '' && { mode: draft.mode }),
    ...(draft.outputField !== '' && { outputField: draft.outputField }),
    ...(draft.tokenizer !== '' && { tokenizer: draft.tokenizer }),
    ...(draft.context.trim() !== '' && { contextWindow: Number(draft.context) }),
    ...(draft.output.trim() !== '' && { maxOutputTokens: Number(draft.output) }),
    ...(draft.from !== '' && { effectiveFrom: new Date(draft.from).toISOString() }),
  }
}

function termsOf(draft: PriceDraft, model: CatalogueModel | null): Terms {
  const before = toDraft(model)
  // Unnamed fees and tiers keep their list price, so unchanged ones are left out unless the price may be the tenant's own.
  const isNamed = (row: FeeDraft | TierDraft, rows: readonly (FeeDraft | TierDraft)[]) =>
    row.name.trim() !== '' &&
    (model?.source === 'tenant' || !rows.some((each) => JSON.stringify(each) === JSON.stringify(row)))
  const fees = draft.fees.filter((fee) => isNamed(fee, before.fees))
  const tiers = draft.tiers.filter((tier) => isNamed(tier, before.tiers))
  const steps = longInputsOf(model?.price ?? null)
  const longer = draft.longer.filter(({ above }) => above.trim() !== '')
  const optional = rates
    .slice(2)
    .flatMap(({ field }) => (isEmpty(draft.rates[field]) ? [] : [[field, Number(draft.rates[field])]]))
  return {
    inputUsdPerMTok: Number(draft.rates.inputUsdPerMTok),
    outputUsdPerMTok: Number(draft.rates.outputUsdPerMTok),
    ...Object.fromEntries(optional),
    ...(!isEmpty(draft.image) && { imageUsd: Number(draft.image) }),
    ...(longer.length > 0 && {
      longer: longer.map(({ above, input, output }) => ({
        ...steps.find(({ aboveInputTokens }) => aboveInputTokens === Number(above)),
        aboveInputTokens: Number(above),
        inputUsdPerMTok: Number(input),
        outputUsdPerMTok: Number(output),
      })),
    }),
    ...(tiers.length > 0 && {
      tiers: Object.fromEntries(tiers.map((tier) => [tier.name.trim(), toTier(tier, model)])),
    }),
    ...(fees.length > 0 && {
      feesUsd: Object.fromEntries(fees.map(({ name, usd }) => [name.trim(), Number(usd)])),
    }),
  }
}

function toTier({ name, factor, input, output }: TierDraft, model: CatalogueModel | null): Tier {
  const known = new Map(entriesOf(model?.price?.tiers)).get(name.trim())
  const { factor: _, inputUsdPerMTok: __, outputUsdPerMTok: ___, ...further } = tierOf(known)
  return {
    // A tier with rates of its own keeps its further rates.
    ...(!isEmpty(input) && further),
    ...(!isEmpty(factor) && { factor: Number(factor) }),
    ...(!isEmpty(input) && { inputUsdPerMTok: Number(input) }),
    ...(!isEmpty(output) && { outputUsdPerMTok: Number(output) }),
  }
}

const isEmpty = (typed: string) => typed.trim() === ''
const tierOf = (tier: unknown): Tier => Object.fromEntries(entriesOf(tier))

type Step = NonNullable<Terms['longer']>[number]
const isStep = (step: unknown): step is Step =>
  typeof step === 'object' &&
  step !== null &&
  ['aboveInputTokens', 'inputUsdPerMTok', 'outputUsdPerMTok'].every((member) => member in step)
function longInputsOf(price: CatalogueModel['price']): Step[] {
  const steps: unknown = price?.longer
  return Array.isArray(steps) ? steps.filter(isStep) : []
}
