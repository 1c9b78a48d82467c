// The columns of the FinOps Open Cost and Usage Specification (FOCUS) 1.2, each with what its page in the specification requires.

export interface FocusColumn {
  /** Whether a data set must have it. `conditional` columns are required where their subject exists. */
  level: 'mandatory' | 'conditional' | 'recommended'
  type: 'string' | 'decimal' | 'time' | 'json'
  isNullable: boolean
  values?: readonly string[]
  isNonNegative?: true
}

const text = (level: FocusColumn['level'], isNullable: boolean, values?: readonly string[]): FocusColumn => ({
  level,
  type: 'string',
  isNullable,
  ...(values && { values }),
})
const decimal = (level: FocusColumn['level'], isNullable: boolean): FocusColumn => ({
  level,
  type: 'decimal',
  isNullable,
})
const price = (level: FocusColumn['level']): FocusColumn => ({ ...decimal(level, true), isNonNegative: true })
const time: FocusColumn = { level: 'mandatory', type: 'time', isNullable: false }

const serviceCategories = [
  'AI and Machine Learning',
  'Analytics',
  'Business Applications',
  'Compute',
  'Databases',
  'Developer Tools',
  'Multicloud',
  'Identity',
  'Integration',
  'Internet of Things',
  'Management and Governance',
  'Media',
  'Migration',
  'Mobile',
  'Networking',
  'Security',
  'Storage',
  'Web',
  'Other',
]
/** Of the category `AI and Machine Learning` alone. */
const serviceSubcategories = [
  'AI Platforms',
  'Bots',
  'Generative AI',
  'Machine Learning',
  'Natural Language Processing',
  'Other (AI and Machine Learning)',
]

export const focusColumns: Readonly<Record<string, FocusColumn>> = {
  AvailabilityZone: text('recommended', true),
  BilledCost: decimal('mandatory', false),
  BillingAccountId: text('mandatory', false),
  BillingAccountName: text('mandatory', true),
  BillingAccountType: text('conditional', false),
  BillingCurrency: text('mandatory', false, ['USD']),
  BillingPeriodEnd: time,
  BillingPeriodStart: time,
  CapacityReservationId: text('conditional', true),
  CapacityReservationStatus: text('conditional', true, ['Used', 'Unused']),
  ChargeCategory: text('mandatory', false, ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment']),
  ChargeClass: text('mandatory', true, ['Correction']),
  ChargeDescription: text('mandatory', true),
  ChargeFrequency: text('recommended', false, ['One-Time', 'Recurring', 'Usage-Based']),
  ChargePeriodEnd: time,
  ChargePeriodStart: time,
  CommitmentDiscountCategory: text('conditional', true, ['Spend', 'Usage']),
  CommitmentDiscountId: text('conditional', true),
  CommitmentDiscountName: text('conditional', true),
  CommitmentDiscountQuantity: decimal('conditional', true),
  CommitmentDiscountStatus: text('conditional', true, ['Used', 'Unused']),
  CommitmentDiscountType: text('conditional', true),
  CommitmentDiscountUnit: text('conditional', true),
  ConsumedQuantity: decimal('conditional', true),
  ConsumedUnit: text('conditional', true),
  ContractedCost: decimal('mandatory', false),
  ContractedUnitPrice: price('conditional'),
  EffectiveCost: decimal('mandatory', false),
  InvoiceId: text('recommended', true),
  InvoiceIssuerName: text('mandatory', false),
  ListCost: decimal('mandatory', false),
  ListUnitPrice: price('conditional'),
  PricingCategory: text('conditional', true, ['Standard', 'Dynamic', 'Committed', 'Other']),
  PricingCurrency: text('conditional', true),
  PricingCurrencyContractedUnitPrice: price('conditional'),
  PricingCurrencyEffectiveCost: decimal('conditional', true),
  PricingCurrencyListUnitPrice: price('conditional'),
  PricingQuantity: decimal('mandatory', true),
  PricingUnit: text('mandatory', true),
  ProviderName: text('mandatory', false),
  PublisherName: text('mandatory', false),
  RegionId: text('conditional', true),
  RegionName: text('conditional', true),
  ResourceId: text('conditional', true),
  ResourceName: text('conditional', true),
  ResourceType: text('conditional', true),
  ServiceCategory: text('mandatory', false, serviceCategories),
  ServiceName: text('mandatory', false),
  ServiceSubcategory: text('recommended', false, serviceSubcategories),
  SkuId: text('conditional', true),
  SkuMeter: text('conditional', true),
  SkuPriceDetails: { level: 'conditional', type: 'json', isNullable: true },
  SkuPriceId: text('conditional', true),
  SubAccountId: text('conditional', true),
  SubAccountName: text('conditional', true),
  SubAccountType: text('conditional', true),
  Tags: { level: 'conditional', type: 'json', isNullable: true },
}

/** The conditional columns whose subject exists here: keys, teams, tags, unit prices and measured usage. */
export const applyingColumns: readonly string[] = [
  'BillingAccountType',
  'ConsumedQuantity',
  'ConsumedUnit',
  'ContractedUnitPrice',
  'ListUnitPrice',
  'PricingCategory',
  'ResourceId',
  'ResourceName',
  'ResourceType',
  'SkuId',
  'SkuMeter',
  'SkuPriceDetails',
  'SkuPriceId',
  'SubAccountId',
  'SubAccountName',
  'SubAccountType',
  'Tags',
]
