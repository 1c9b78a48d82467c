import type { Call } from '../../../reporting/calls/index.js'
import type { ExportedRow } from '../data/batch.js'
import type { FocusRow } from '../data/focus/row.js'
import type { SinkRow } from '../store.js'

/** How a column is stored. Decimals have 38 digits, and as many places as are named. */
export type ColumnType = 'text' | 'json' | 'integer' | 'boolean' | 'time' | { decimals: number }

export interface Column {
  /** Of the column in the file, and of the member of the row. */
  name: string
  type: ColumnType
}

const columns = (types: Readonly<Record<string, ColumnType>>): Column[] =>
  Object.entries(types).map(([name, type]) => ({ name, type }))

/** The whole entry is in `entry`, as it was signed. The others are there to filter by. */
const receipts = columns({
  seq: 'integer',
  ts: 'time',
  id: 'text',
  kind: 'text',
  key: 'text',
  team: 'text',
  provider: 'text',
  model: 'text',
  entry: 'text',
})

const calls = columns({
  requestId: 'text',
  attempt: 'integer',
  route: 'text',
  receiptSeq: 'integer',
  ts: 'time',
  kind: 'text',
  keyId: 'text',
  keyName: 'text',
  userId: 'text',
  userName: 'text',
  teamId: 'text',
  teamName: 'text',
  provider: 'text',
  model: 'text',
  askedModel: 'text',
  upstream: 'text',
  server: 'text',
  tool: 'text',
  method: 'text',
  toolError: 'boolean',
  rpcCode: 'integer',
  stream: 'boolean',
  status: 'integer',
  outcome: 'text',
  inputTokens: 'integer',
  outputTokens: 'integer',
  cachedTokens: 'integer',
  costUsd: { decimals: 9 },
  usage: 'text',
  latencyMs: 'integer',
  firstTokenMs: 'integer',
  session: 'text',
  agent: 'text',
  cache: 'text',
  batch: 'text',
  tags: 'json',
  policies: 'json',
} satisfies Record<keyof Call, ColumnType>)

const amount = { decimals: 18 }
const focus = columns({
  BilledCost: amount,
  BillingAccountId: 'text',
  BillingAccountName: 'text',
  BillingAccountType: 'text',
  BillingCurrency: 'text',
  BillingPeriodEnd: 'time',
  BillingPeriodStart: 'time',
  ChargeCategory: 'text',
  ChargeClass: 'text',
  ChargeDescription: 'text',
  ChargeFrequency: 'text',
  ChargePeriodEnd: 'time',
  ChargePeriodStart: 'time',
  ConsumedQuantity: amount,
  ConsumedUnit: 'text',
  ContractedCost: amount,
  ContractedUnitPrice: amount,
  EffectiveCost: amount,
  InvoiceId: 'text',
  InvoiceIssuerName: 'text',
  ListCost: amount,
  ListUnitPrice: amount,
  PricingCategory: 'text',
  PricingQuantity: amount,
  PricingUnit: 'text',
  ProviderName: 'text',
  PublisherName: 'text',
  ResourceId: 'text',
  ResourceName: 'text',
  ResourceType: 'text',
  ServiceCategory: 'text',
  ServiceName: 'text',
  ServiceSubcategory: 'text',
  SkuId: 'text',
  SkuMeter: 'text',
  SkuPriceDetails: 'text',
  SkuPriceId: 'text',
  SubAccountId: 'text',
  SubAccountName: 'text',
  SubAccountType: 'text',
  Tags: 'text',
  x_FirstEntry: 'text',
  x_LastEntry: 'text',
  x_Model: 'text',
  x_UserId: 'text',
} satisfies Record<keyof FocusRow, ColumnType>)

interface Table {
  columns: readonly Column[]
  valuesOf(row: ExportedRow): Readonly<Record<string, unknown>>
}

const valuesOf = ({ json }: ExportedRow): Record<string, unknown> => JSON.parse(json)

/** The kinds of data that can be written as Parquet. */
export const tables: Readonly<Partial<Record<SinkRow['data'], Table>>> = {
  receipts: { columns: receipts, valuesOf: (row) => ({ ...valuesOf(row), entry: row.json }) },
  calls: { columns: calls, valuesOf },
  focus: { columns: focus, valuesOf },
}
