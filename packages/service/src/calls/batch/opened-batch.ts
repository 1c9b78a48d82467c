import type { Price } from '@tallystick/record/pricing'
import type { Db } from '../../db/index.js'
import type { Provider, ProviderBatches } from '../../providers/index.js'
import type { Ledger } from '../../record/index.js'
import {
  type BatchFiles,
  type BatchRow,
  type BatchSeals,
  type OpenLine,
  type Owner,
  type RefusedLine,
  readOpenLines,
} from '../../resources/batches/index.js'
import type { Entitlements } from '../../resources/keys/index.js'
import { findBatchEndpoint } from './batch-endpoints.js'
import type { BatchSettings, PlanLineParts } from './plan-line.js'
import { type BatchLine, readLines } from './read-lines.js'
import type { SettleLineParts } from './settle-line.js'

export interface BatchParts extends SettleLineParts, PlanLineParts {
  yieldToEventLoop: PlanLineParts['yieldToEventLoop']
  tokens: SettleLineParts['tokens']
  db: Db
  seals: BatchSeals
  files: BatchFiles
  ledger: Pick<Ledger, 'append'>
  entitlementsOf(principal: { tenantId: string; keyId: string }): Promise<Entitlements | null>
  /** Returns the number of the last known erasure of a tenant. */
  erasedTo(tenantId: string): Promise<number>
  onError(error: unknown): void
}

/** A batch with everything that is needed to continue it. */
export interface OpenedBatch {
  row: BatchRow
  owner: Owner
  /** Null when the file was deleted because the data of its user were erased. */
  lines: BatchLine[] | null
  /** The lines without a receipt, by the id of their call. */
  open: Map<string, OpenLine>
  /** Null when nobody may see the answers: the key is revoked, its user is suspended, or the file is gone. */
  settings: BatchSettings | null
  refused: RefusedLine[]
  price: Price
  /** Null when the provider no longer exists or was replaced by another one. */
  provider: Provider | null
  batches: ProviderBatches | null
}

export async function openBatch(row: BatchRow, parts: BatchParts): Promise<OpenedBatch> {
  const { tenant_id: tenantId, key_id: keyId, user_id: userId } = row
  const owner = { tenantId, keyId, userId }
  const price: Price = JSON.parse(row.price)
  const file = await parts.files.content(owner, row.input_file_id)
  const lines = file && (await readLines(file, row.endpoint, parts.yieldToEventLoop))
  const entitlements = await parts.entitlementsOf({ tenantId, keyId })
  const endpoint = findBatchEndpoint(row.endpoint)
  const isOver = entitlements === null || entitlements.user?.suspended === true
  const { headers } = await parts.seals.openNotes(row)
  const settings =
    isOver || lines === null || endpoint === undefined
      ? null
      : { batchId: row.id, url: row.endpoint, endpoint, entitlements, headers, price }
  const target = (await parts.directories.for(tenantId)).find(row.model)
  const provider = 'missing' in target || target.provider.id !== row.provider_id ? null : target.provider
  return {
    ...{ row, owner, lines, settings, price, provider, batches: provider?.batches ?? null },
    open: await readOpenLines(parts.db, row.id),
    refused: await parts.seals.openRefused(row),
  }
}
