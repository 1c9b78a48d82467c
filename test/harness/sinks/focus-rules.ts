import { applyingColumns, type FocusColumn, focusColumns } from './focus-columns.js'

/** A row of a FOCUS data set as a reader of CSV sees it: text, or null for an empty field. */
export type FocusRow = Record<string, string | null>

/** Returns what is wrong with the columns of a data set. */
export function findColumnFaults(names: readonly string[]): string[] {
  const required = Object.entries(focusColumns).filter(
    ([name, { level }]) => level !== 'conditional' || applyingColumns.includes(name),
  )
  const custom = names.findIndex((name) => !(name in focusColumns))
  return [
    ...required
      .filter(([name, { level }]) => level !== 'recommended' && !names.includes(name))
      .map(([name]) => `${name} is missing`),
    ...names
      .filter((name) => !(name in focusColumns) && !/^x_[A-Z][A-Za-z0-9]*$/.test(name))
      .map((name) => `${name} is no column`),
    ...(custom >= 0 && names.slice(custom).some((name) => name in focusColumns)
      ? ['columns of FOCUS come first']
      : []),
    ...(new Set(names).size < names.length ? ['a column is there twice'] : []),
  ]
}

/** Returns what is wrong with a row. */
export const findRowFaults = (row: FocusRow): string[] => [
  ...Object.entries(row).flatMap(([name, value]) => {
    const column = focusColumns[name]
    return column ? findValueFaults(name, value, column) : []
  }),
  ...rules.filter(({ holds }) => !holds(row)).map(({ rule }) => rule),
]

function findValueFaults(name: string, value: string | null, column: FocusColumn): string[] {
  if (value === null) return column.isNullable ? [] : [`${name} is null`]
  const faults: string[] = []
  if (value.trim() === '') faults.push(`${name} is an empty text`)
  if (column.values && !column.values.includes(value)) faults.push(`${name} may not be ${value}`)
  if (!forms[column.type](value)) faults.push(`${name} is no ${column.type}: ${value}`)
  if (column.isNonNegative && value.startsWith('-')) faults.push(`${name} is negative`)
  return faults
}

const forms: Record<FocusColumn['type'], (value: string) => boolean> = {
  string: () => true,
  decimal: (value) => /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:E-?\d+)?$/.test(value),
  time: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) && !Number.isNaN(Date.parse(value)),
  json: isFlatObject,
}

function isFlatObject(text: string): boolean {
  const value: unknown = JSON.parse(text)
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(
      (each) => each === null || ['string', 'number', 'boolean'].includes(typeof each),
    )
  )
}

interface Rule {
  rule: string
  holds(row: FocusRow): boolean
}

const both = (one: string, other: string): Rule => ({
  rule: `${one} and ${other} are null together`,
  holds: (row) => (row[one] === null) === (row[other] === null),
})
const onlyWith = (one: string, other: string): Rule => ({
  rule: `${one} is null when ${other} is`,
  holds: (row) => row[other] !== null || row[one] === null,
})
const isPriced = ({ ChargeCategory: category, ChargeClass: kind }: FocusRow) =>
  (category === 'Usage' || category === 'Purchase') && kind !== 'Correction'
const neededForUsage = (name: string): Rule => ({
  rule: `${name} is not null for usage, unless it is a correction, and null for a tax`,
  holds: (row) => (isPriced(row) ? row[name] !== null : row.ChargeCategory !== 'Tax' || row[name] === null),
})
const product = (unitPrice: string, cost: string): Rule => ({
  rule: `${unitPrice} times PricingQuantity is ${cost}`,
  holds({ ChargeClass, PricingQuantity = null, [unitPrice]: price = null, [cost]: total = null }) {
    if (price === null || PricingQuantity === null || ChargeClass === 'Correction') return true
    return toAttos(price) * toAttos(PricingQuantity) === toAttos(total ?? '') * 10n ** 18n
  },
})
const sameAsBilled = (cost: string, isApplied: (row: FocusRow) => boolean): Rule => ({
  rule: `${cost} of a charge of its own is BilledCost`,
  holds: (row) => !isApplied(row) || row[cost] === row.BilledCost,
})
const hourOf = (text: string | null | undefined) => Date.parse(text ?? '')

const rules: readonly Rule[] = [
  ...[
    'ListUnitPrice',
    'ContractedUnitPrice',
    'PricingQuantity',
    'PricingCategory',
    'SkuId',
    'SkuPriceId',
  ].map(neededForUsage),
  product('ListUnitPrice', 'ListCost'),
  product('ContractedUnitPrice', 'ContractedCost'),
  sameAsBilled('ListCost', (row) => row.ListUnitPrice === null),
  sameAsBilled('ContractedCost', (row) => row.ContractedUnitPrice === null),
  sameAsBilled(
    'EffectiveCost',
    (row) => row.ChargeCategory === 'Adjustment' || row.ChargeCategory === 'Credit',
  ),
  both('PricingQuantity', 'PricingUnit'),
  both('ConsumedQuantity', 'ConsumedUnit'),
  both('BillingAccountId', 'BillingAccountType'),
  both('SubAccountId', 'SubAccountName'),
  both('SubAccountId', 'SubAccountType'),
  both('ResourceId', 'ResourceType'),
  onlyWith('ResourceName', 'ResourceId'),
  onlyWith('SkuMeter', 'SkuId'),
  onlyWith('SkuPriceDetails', 'SkuPriceId'),
  {
    rule: 'ConsumedQuantity is there for usage and for nothing else',
    holds: (row) =>
      row.ChargeCategory === 'Usage'
        ? row.ConsumedQuantity !== null || row.ChargeClass === 'Correction'
        : row.ConsumedQuantity === null,
  },
  {
    rule: 'a purchase is not based on usage',
    holds: (row) => row.ChargeCategory !== 'Purchase' || row.ChargeFrequency !== 'Usage-Based',
  },
  {
    rule: 'the properties of a price have the prefix x_',
    holds: ({ SkuPriceDetails = null }) =>
      SkuPriceDetails === null ||
      Object.keys(JSON.parse(SkuPriceDetails)).every((name) => name.startsWith('x_')),
  },
  {
    rule: 'units are written like `Tokens` or `1000 Tokens`',
    holds: (row) =>
      [row.PricingUnit, row.ConsumedUnit].every(
        (unit) => unit == null || /^(?:[1-9]\d* )?[A-Z][a-z]+s$/.test(unit),
      ),
  },
  {
    rule: 'a charge period is an hour of its billing period, which is a month',
    holds(row) {
      const [start, end] = [hourOf(row.ChargePeriodStart), hourOf(row.ChargePeriodEnd)]
      const month = new Date(hourOf(row.BillingPeriodStart))
      const next = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1)
      return (
        start % 3_600_000 === 0 &&
        end - start === 3_600_000 &&
        /-01T00:00:00Z$/.test(row.BillingPeriodStart ?? '') &&
        hourOf(row.BillingPeriodEnd) === next &&
        start >= month.getTime() &&
        end <= next
      )
    },
  },
]

/** A decimal in units of 1e-18, without a float in between. */
export function toAttos(decimal: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(decimal)
  if (!match) throw new Error(`${decimal} has more than 18 decimals`)
  const [, sign, whole = '', fraction = ''] = match
  return BigInt(`${sign}${whole}${fraction.padEnd(18, '0')}`)
}
