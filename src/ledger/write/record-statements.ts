import type { Statement } from '../../db/index.js'
import type { ChainedEntry, ChainedGroup } from '../format/chain.js'
import { signCheckpoint } from '../format/checkpoint.js'
import type { SigningKey } from '../keys/signing-key.js'
import type { NewReceipt } from './receipt.js'

/** The statements that add a chained group to a tenant's record: entries, completed tree nodes, seal, head. */
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
    ...nodes.map((node) => ({
      name: 'insert_node',
      text: 'insert into record_nodes (tenant_id, level, index, hash) values ($1, $2, $3, $4)',
      values: [tenantId, node.level, node.index, node.hash],
    })),
    {
      name: 'insert_seal',
      text: 'insert into seals (tenant_id, size, key_id, note) values ($1, $2, $3, $4)',
      values: [tenantId, size, signingKey.publicKey.id, note],
    },
    {
      name: 'move_head',
      text: 'update record_heads set size = $2, prev = $3, frontier = $4 where tenant_id = $1',
      values: [tenantId, size, head.prev, head.range.toBuffer()],
    },
  ]
}

const columns = 7

/** Inserts 64, 32, 16, … rows at a time: few distinct statements, so that each keeps its plan on the server. */
function insertReceipts(
  tenantId: string,
  receipts: readonly NewReceipt[],
  entries: readonly ChainedEntry[],
): Statement[] {
  const statements: Statement[] = []
  for (let start = 0; start < entries.length; ) {
    const rows = Math.min(64, 2 ** Math.floor(Math.log2(entries.length - start)))
    const values = entries
      .slice(start, start + rows)
      .flatMap((entry, i) => [
        tenantId,
        entry.seq,
        entry.id,
        entry.ts,
        entry.canonical,
        entry.leafHash,
        receipts[start + i]?.commitmentKey ?? null,
      ])
    statements.push({ name: `insert_receipts_${rows}`, text: insertText(rows), values })
    start += rows
  }
  return statements
}

// Writing the text for 64 rows takes 120 µs, longer than serialising ten receipts.
const insertTexts = new Map<number, string>()

function insertText(rows: number): string {
  const known = insertTexts.get(rows)
  if (known !== undefined) return known
  const tuples = Array.from(
    { length: rows },
    (_, row) =>
      `(${Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`).join(', ')})`,
  )
  const text = `insert into receipts (tenant_id, seq, request_id, ts, canonical, leaf_hash, commitment_key)
    values ${tuples.join(', ')}`
  insertTexts.set(rows, text)
  return text
}
