import { inTransaction, newId } from '../../db/index.js'
import { ApiError, invalidField, unavailable } from '../../errors.js'
import {
  type BatchNotes,
  type BatchRow,
  countOpenLines,
  findBatch,
  type Owner,
  storeBatch,
} from '../../modules/batches/index.js'
import type { Entitlements } from '../../modules/keys/index.js'
import { findBatchDialect } from './batch-dialect.js'
import { maxLines, readLines } from './lines.js'
import type { BatchParts } from './opened-batch.js'
import { type ReserveParts, reserveLines } from './reserve-lines.js'

export interface BatchOrder extends BatchNotes {
  inputFileId: string
  endpoint: string
}

export type CreateParts = Omit<BatchParts, 'entitlementsOf'> & ReserveParts

const windowMs = 24 * 3_600_000
// Each is known to the limits by itself.
const maxOpenLines = 5 * maxLines

/** Reserves the worst case of all lines and stores the batch. It is sent by whoever looks at it next. */
export async function createBatch(
  { inputFileId, endpoint, ...notes }: BatchOrder,
  owner: Owner,
  entitlements: Entitlements,
  parts: CreateParts,
): Promise<BatchRow> {
  const { db, files, seals, waitForTurn } = parts
  const dialect = findBatchDialect(endpoint)
  if (dialect === undefined) throw invalidField('endpoint', 'cannot be used in a batch')
  const file = await files.content(owner, inputFileId)
  if (file === null) throw invalidField('input_file_id', 'names no file of this key')
  const lines = await readLines(file, endpoint, waitForTurn)
  const openLines = await countOpenLines(db, owner.tenantId)
  if (openLines + lines.length > maxOpenLines)
    throw new ApiError(
      'rate_limit_exceeded',
      `${openLines} lines of batches are under way, and with this one there would be more than ${maxOpenLines}; wait for some to end`,
      { retry_after: 60 },
    )
  const id = newId('batch')
  const terms = { batchId: id, endpoint, dialect, entitlements, headers: notes.headers, price: null }
  const { callIds, first, release } = await reserveLines(lines, terms, parts)
  const { target } = first
  try {
    const row = { id, tenant_id: owner.tenantId }
    const batch = {
      ...row,
      key_id: owner.keyId,
      user_id: owner.userId,
      endpoint,
      model: first.planned.call.model,
      provider_id: target.provider.id,
      price: JSON.stringify(target.price),
      sealed: await seals.sealNotes(row, notes),
      input_file_id: inputFileId,
      call_ids: callIds,
      expires_at: new Date(Date.now() + windowMs),
    }
    await inTransaction(db, async (tx) => {
      if (!(await storeBatch(tx, batch)))
        throw unavailable('This process was taken for dead while it read the batch; send it again')
    })
  } catch (error) {
    await release()
    throw error
  }
  const stored = await findBatch(db, owner, id)
  if (stored === undefined) throw unavailable('The batch cannot be read at the moment')
  return stored
}
