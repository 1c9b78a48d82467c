import { isObject, parseObject } from '@tallystick/record/json'
import { type SealedLocation, type Secrets, undecryptable } from '../../secrets/index.js'
import type { BatchRow } from './store.js'

/** The caller's metadata of a batch, and the labels of its calls. */
export interface BatchNotes {
  metadata: Record<string, string> | null
  headers: Record<string, string>
}

/** Why a line was not sent. */
export interface RefusedLine {
  line: number
  code: string
  message: string
}

/** Batch data that must not be stored in plain text. */
export interface BatchSeals {
  sealNotes(batch: SealedBatch, notes: BatchNotes): Promise<Buffer>
  sealRefused(batch: SealedBatch, refused: readonly RefusedLine[]): Promise<Buffer>
  /** Data that can no longer be decrypted is returned empty: the batch continues without it. */
  openNotes(batch: BatchRow): Promise<BatchNotes>
  openRefused(batch: BatchRow): Promise<RefusedLine[]>
}

type SealedBatch = Pick<BatchRow, 'id' | 'tenant_id'>

const locationOf = (column: 'sealed' | 'refused', { id, tenant_id }: SealedBatch): SealedLocation => ({
  purpose: `batches.${column}`,
  tenantId: tenant_id,
  rowId: id,
})

export function createBatchSeals(secrets: Secrets): BatchSeals {
  return {
    sealNotes: (batch, notes) =>
      secrets.seal(locationOf('sealed', batch), Buffer.from(JSON.stringify(notes))),
    sealRefused: (batch, refused) =>
      secrets.seal(locationOf('refused', batch), Buffer.from(JSON.stringify(refused))),
    async openNotes(batch) {
      const opened = await secrets.open(locationOf('sealed', batch), batch.sealed)
      const notes = opened === undecryptable ? null : parseObject(opened.toString())
      return { metadata: textsIn(notes?.metadata), headers: textsIn(notes?.headers) ?? {} }
    },
    async openRefused(batch) {
      if (batch.refused === null) return []
      const opened = await secrets.open(locationOf('refused', batch), batch.refused)
      return opened === undecryptable ? [] : JSON.parse(opened.toString())
    },
  }
}

function textsIn(value: unknown): Record<string, string> | null {
  if (!isObject(value)) return null
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  )
}
