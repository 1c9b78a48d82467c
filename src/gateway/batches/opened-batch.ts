import type { Db } from '../../db/index.js'
import type { Ledger } from '../../ledger/index.js'
import {
  type BatchFiles,
  type BatchRow,
  type BatchSeals,
  type OpenLine,
  type Owner,
  type RefusedLine,
  readOpenLines,
} from '../../modules/batches/index.js'
import type { Entitlements } from '../../modules/keys/index.js'
import type { Price } from '../../pricing/index.js'
import type { Provider, ProviderBatches } from '../../providers/index.js'
import { findBatchDialect } from './batch-dialect.js'
import type { BatchTerms } from './line-call.js'
import { type BatchLine, readLines } from './lines.js'
import type { SettleLineParts } from './settle-line.js'

export interface BatchParts extends SettleLineParts {
  db: Db
  seals: BatchSeals
  files: BatchFiles
  ledger: Pick<Ledger, 'append'>
  entitlementsOf(principal: { tenantId: string; keyId: string }): Promise<Entitlements | null>
  /** The last erasure that is known of a tenant. */
  erasedTo(tenantId: string): Promise<number>
  onError(error: unknown): void
}

/** A batch with all that is needed to go on with it. */
export interface OpenedBatch {
  row: BatchRow
  owner: Owner
  /** Null when the file is gone: its user was erased. */
  lines: BatchLine[] | null
  /** Those without a receipt, by the id of their call. */
  open: Map<string, OpenLine>
  /** Null when nobody may see answers: the key is revoked, its user suspended, or the file gone. */
  terms: BatchTerms | null
  refused: RefusedLine[]
  price: Price
  /** Null while the provider is not to be found, or is another one by now. */
  provider: Provider | null
  batches: ProviderBatches | null
}

export async function openBatch(row: BatchRow, parts: BatchParts): Promise<OpenedBatch> {
  const { tenant_id: tenantId, key_id: keyId, user_id: userId } = row
  const owner = { tenantId, keyId, userId }
  const price: Price = JSON.parse(row.price)
  const file = await parts.files.content(owner, row.input_file_id)
  const lines = file && (await readLines(file, row.endpoint, parts.waitForTurn))
  const entitlements = await parts.entitlementsOf({ tenantId, keyId })
  const dialect = findBatchDialect(row.endpoint)
  const isOver = entitlements === null || entitlements.user?.suspended === true
  const { headers } = await parts.seals.openNotes(row)
  const terms =
    isOver || lines === null || dialect === undefined
      ? null
      : { batchId: row.id, endpoint: row.endpoint, dialect, entitlements, headers, price }
  const target = (await parts.directories.for(tenantId)).find(row.model)
  const provider = 'missing' in target || target.provider.id !== row.provider_id ? null : target.provider
  return {
    ...{ row, owner, lines, terms, price, provider, batches: provider?.batches ?? null },
    open: await readOpenLines(parts.db, row.id),
    refused: await parts.seals.openRefused(row),
  }
}
