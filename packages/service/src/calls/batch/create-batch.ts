import { inTransaction, newId } from '../../db/index.js'
import {
  type BatchNotes,
  type BatchRow,
  countOpenLines,
  findBatch,
  type Owner,
  storeBatch,
} from '../../resources/batches/index.js'
import type { Entitlements } from '../../resources/keys/index.js'
import { ApiError, invalidField, unavailable } from '../../shared/errors.js'
import { findBatchEndpoint } from './batch-endpoints.js'
import type { BatchParts } from './opened-batch.js'
import { maxLines, readLines } from './read-lines.js'
import { type ReserveParts, reserveLines } from './reserve-lines.js'

export interface BatchOrder extends BatchNotes {
  inputFileId: string
  endpoint: string
}

export type CreateParts = Omit<BatchParts, 'entitlementsOf'> & ReserveParts

const windowMs = 24 * 3_600_000
// The limit store tracks every line separately.
const maxOpenLines = 5 * maxLines

/** Reserves the maximum cost of all lines and stores the batch. A worker on any replica sends it. */
export async function createBatch(
  { inputFileId, endpoint: url, ...notes }: BatchOrder,
  owner: Owner,
  entitlements: Entitlements,
  parts: CreateParts,
): Promise<BatchRow> {
  const { db, files, seals, yieldToEventLoop } = parts
  const endpoint = findBatchEndpoint(url)
  if (endpoint === undefined) throw invalidField('endpoint', 'cannot be used in a batch')
  const file = await files.content(owner, inputFileId)
  if (file === null) throw invalidField('input_file_id', 'is not the id of a file of this key')
  const lines = await readLines(file, url, yieldToEventLoop)
  const openLines = await countOpenLines(db, owner.tenantId)
  if (openLines + lines.length > maxOpenLines)
    throw new ApiError(
      'rate_limit_exceeded',
      `This tenant has ${openLines} open lines of batches, and this batch would exceed the limit of ${maxOpenLines}; wait until some have ended`,
      { retry_after: 60 },
    )
  const id = newId('batch')
  const settings = { batchId: id, url, endpoint, entitlements, headers: notes.headers, price: null }
  const { callIds, first, release } = await reserveLines(lines, settings, parts)
  const { target } = first
  try {
    const row = { id, tenant_id: owner.tenantId }
    const batch = {
      ...row,
      key_id: owner.keyId,
      user_id: owner.userId,
      endpoint: url,
      model: first.call.model,
      provider_id: target.provider.id,
      price: JSON.stringify(target.price),
      sealed: await seals.sealNotes(row, notes),
      input_file_id: inputFileId,
      call_ids: callIds,
      expires_at: new Date(Date.now() + windowMs),
    }
    await inTransaction(db, async (tx) => {
      if (!(await storeBatch(tx, batch)))
        throw unavailable('Another process took over while this one read the batch; send it again')
    })
  } catch (error) {
    await release()
    throw error
  }
  const stored = await findBatch(db, owner, id)
  if (stored === undefined) throw unavailable('The batch was stored, but cannot be read at the moment')
  return stored
}
