import { type Charge, type ChargeLabels, correction } from './charges.js'
import { decimalText, usdText } from './decimal.js'
import { meterOf } from './meters.js'

/** Names that the labels of a charge do not have. */
export interface RowNames {
  tenantId: string
  tenantName: string
  keyName: string | null
  teamName: string | null
}

const tokensPerPrice = 1_000_000n

/**
 * Returns the columns of FOCUS 1.2, in the order of the alphabet, and then those of this service. Columns about what
 * does not exist here are left out: commitments, reservations, regions and other currencies. Amounts are text.
 */
export function toFocusRow(charge: Charge, names: RowNames, span: { first: string; last: string }) {
  const { labels, attos } = charge
  const cost = usdText(attos)
  const provider = labels.provider ?? 'Tallystick'
  const { start, end } = monthOf(labels.hour)
  const use = labels.unitAttos === null ? null : describeUse(charge, labels.unitAttos, provider)
  return {
    BilledCost: cost,
    BillingAccountId: names.tenantId,
    BillingAccountName: names.tenantName,
    BillingAccountType: 'Tenant',
    BillingCurrency: 'USD',
    BillingPeriodEnd: end,
    BillingPeriodStart: start,
    ChargeCategory: use ? 'Usage' : 'Adjustment',
    ChargeClass: labels.isLateCorrection ? 'Correction' : null,
    ChargeDescription: use?.description ?? describeAdjustment(charge, provider),
    ChargeFrequency: use ? 'Usage-Based' : 'One-Time',
    ChargePeriodEnd: hourAfter(labels.hour),
    ChargePeriodStart: labels.hour,
    ConsumedQuantity: use?.consumed ?? null,
    ConsumedUnit: use?.unit ?? null,
    ContractedCost: cost,
    ContractedUnitPrice: use?.unitPrice ?? null,
    EffectiveCost: cost,
    InvoiceId: null,
    InvoiceIssuerName: provider,
    ListCost: cost,
    ListUnitPrice: use?.unitPrice ?? null,
    PricingCategory: use ? 'Standard' : null,
    PricingQuantity: use?.pricingQuantity ?? null,
    PricingUnit: use?.pricingUnit ?? null,
    ProviderName: provider,
    PublisherName: provider,
    ResourceId: labels.keyId,
    ResourceName: labels.keyId === null ? null : names.keyName,
    ResourceType: labels.keyId === null ? null : 'API key',
    ServiceCategory: 'AI and Machine Learning',
    ServiceName: labels.isTool ? 'Tool calls' : 'Model inference',
    ServiceSubcategory: labels.isTool ? 'Other (AI and Machine Learning)' : 'Generative AI',
    SkuId: use?.skuId ?? null,
    SkuMeter: use?.meter ?? null,
    SkuPriceDetails: use && labels.tier !== null ? JSON.stringify({ x_Tier: labels.tier }) : null,
    SkuPriceId: use?.skuPriceId ?? null,
    SubAccountId: labels.teamId,
    // A team whose name was erased still needs one.
    SubAccountName: labels.teamId === null ? null : (names.teamName ?? labels.teamId),
    SubAccountType: labels.teamId === null ? null : 'Team',
    Tags: labels.tags,
    x_FirstEntry: span.first,
    x_LastEntry: span.last,
    x_Model: labels.model,
    x_UserId: labels.userId,
  } satisfies Record<string, string | null>
}

export type FocusRow = ReturnType<typeof toFocusRow>

/** Vendors publish prices for a million tokens, and for one of anything else. */
function describeUse({ labels, count }: Charge, unitAttos: bigint, provider: string) {
  const meter = meterOf(labels.kind)
  const isTokens = meter.unit === 'Tokens'
  const unitPrice = usdText(isTokens ? unitAttos * tokensPerPrice : unitAttos)
  const pricingUnit = isTokens ? `${tokensPerPrice} Tokens` : meter.unit
  const skuId = [provider, labels.model, labels.kind].filter((part) => part !== null).join('/')
  return {
    meter: meter.name,
    unit: meter.unit,
    consumed: count.toString(),
    unitPrice,
    pricingUnit,
    pricingQuantity: isTokens ? decimalText(count, 6) : count.toString(),
    skuId,
    skuPriceId: `${skuId}/${labels.tier ?? 'standard'}@${unitPrice}`,
    description: `${meter.name} of ${modelAt(labels, provider)}, USD ${unitPrice} per ${pricingUnit}`,
  }
}

const describeAdjustment = ({ labels }: Charge, provider: string): string =>
  labels.kind === correction
    ? `Correction of the cost of calls of ${modelAt(labels, provider)}`
    : `Cost of calls of ${modelAt(labels, provider)} beyond their price lines, such as rounding up to a nano-dollar`

const modelAt = ({ model }: ChargeLabels, provider: string): string =>
  model === null ? provider : `${model} at ${provider}`

const hourAfter = (hour: string): string => toText(new Date(Date.parse(hour) + 3_600_000))

function monthOf(hour: string): { start: string; end: string } {
  const date = new Date(hour)
  const monthFrom = (months: number) =>
    toText(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)))
  return { start: monthFrom(0), end: monthFrom(1) }
}

const toText = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`
