import type { ChainedEntry, ChainedGroup } from '@tallystick/record/format'
import { isExceptionEvent, signCheckpoint } from '@tallystick/record/format'
import {
  bigintArray,
  byteaArray,
  createRowStatements,
  type Statement,
  smallintArray,
} from '../../db/index.js'
import type { SigningKey } from '../keys/signing-key.js'
import { receiptOwner } from '../receipt-owner.js'
import type { NewReceipt } from './receipt.js'

/** The statements that add a chained group to a tenant's record, besides its head: entries, exceptions, completed tree nodes, seal. */
export function recordStatements(
  tenantId: string,
  receipts: readonly NewReceipt[],
  { head, entries, nodes }: ChainedGroup,
  signingKey: SigningKey,
): Statement[] {
  const size = head.range.size
  const note = signCheckpoint({ tenant: tenantId, size, root: head.range.root() }, signingKey)
  return [
    ...insertReceipts(tenantId, receipts, entries),
    ...insertExceptions(tenantId, receipts, entries),
    ...insertNodes(tenantId, nodes),
    {
      name: 'insert_seal',
      text: 'insert into seals (tenant_id, size, key_id, note) values ($1, $2, $3, $4)',
      values: [tenantId, size, signingKey.publicKey.id, note],
    },
  ]
}

const writeReceipts = createRowStatements({
  name: 'insert_receipts',
  columns: 8,
  text: (tuples) =>
    `insert into receipts (tenant_id, seq, request_id, ts, canonical, leaf_hash, commitment_key, owner) values ${tuples}`,
})

const insertReceipts = (
  tenantId: string,
  receipts: readonly NewReceipt[],
  entries: readonly ChainedEntry[],
): Statement[] =>
  writeReceipts(
    entries.map(({ seq, id, ts, canonical, leafHash }, i) => {
      const receipt = receipts[i]
      const owner = receipt ? receiptOwner(receipt.draft) : null
      return [tenantId, seq, id, ts, canonical, leafHash, receipt?.commitmentKey ?? null, owner]
    }),
  )

const insertNodes = (tenantId: string, nodes: ChainedGroup['nodes']): Statement[] =>
  nodes.length === 0
    ? []
    : [
        {
          name: 'insert_nodes',
          text: `insert into record_nodes (tenant_id, level, index, hash)
            select $1, n.level, n.index, n.hash from unnest($2::smallint[], $3::bigint[], $4::bytea[]) as n (level, index, hash)`,
          values: [
            tenantId,
            smallintArray(nodes.map(({ level }) => level)),
            bigintArray(nodes.map(({ index }) => index)),
            byteaArray(nodes.map(({ hash }) => hash)),
          ],
        },
      ]

const insertExceptions = (
  tenantId: string,
  receipts: readonly NewReceipt[],
  entries: readonly ChainedEntry[],
): Statement[] =>
  receipts.flatMap(({ draft }, i) =>
    draft.kind === 'control' && isExceptionEvent(draft.event)
      ? {
          name: 'insert_exception',
          text: 'insert into record_exceptions (tenant_id, seq, event, ts) values ($1, $2, $3, $4)',
          values: [tenantId, entries[i]?.seq, draft.event, draft.ts],
        }
      : [],
  )
