import { genesisHead } from '../../../packages/record/src/format/chain.js'
import { leafHash } from '../../../packages/record/src/format/merkle/tree.js'
import { signCheckpoint } from '../../../packages/record/src/format/signing/checkpoint.js'
import { canonicalize } from '../../../packages/record/src/json/index.js'
import type { SigningKey } from '../../../packages/service/src/record/keys/signing-key.js'
import type { TestDatabase } from '../service/database.js'

/** Someone with the right to write to the database, and all the time in the world. */
export function createForger(database: TestDatabase, tenantId: string) {
  const { query } = database

  /** Changes an entry and everything that follows from it, so that chain, hashes and head fit again. No seal does. */
  async function rewrite(seq: number, change: Record<string, unknown>): Promise<void> {
    const rows = await query<{ seq: string; canonical: string }>(
      'select seq, canonical from receipts where tenant_id = $1 order by seq',
      [tenantId],
    )
    const { range, prev: genesis } = genesisHead(tenantId)
    let prev = genesis
    for (const row of rows) {
      const entry = { ...JSON.parse(row.canonical), prev: prev.toString('hex') }
      const canonical = canonicalize(Number(row.seq) === seq ? { ...entry, ...change } : entry)
      prev = leafHash(canonical)
      range.append(prev)
      await query('update receipts set canonical = $3, leaf_hash = $4 where tenant_id = $1 and seq = $2', [
        tenantId,
        row.seq,
        canonical,
        prev,
      ])
    }
    await query('update record_heads set prev = $2, frontier = $3 where tenant_id = $1', [
      tenantId,
      prev,
      range.toBuffer(),
    ])
  }

  /** Signs the record as it is now, wherever it was sealed before. */
  async function sealAgain(key: SigningKey): Promise<void> {
    const rows = await query<{ leaf_hash: Buffer }>(
      'select leaf_hash from receipts where tenant_id = $1 order by seq',
      [tenantId],
    )
    const seals = await query<{ size: string }>('select size from seals where tenant_id = $1', [tenantId])
    const sizes = new Set(seals.map(({ size }) => Number(size)))
    const { range } = genesisHead(tenantId)
    for (const { leaf_hash } of rows) {
      range.append(leaf_hash)
      if (!sizes.has(range.size)) continue
      const note = signCheckpoint({ tenant: tenantId, size: range.size, root: range.root() }, key)
      await query('update seals set note = $3 where tenant_id = $1 and size = $2', [
        tenantId,
        range.size,
        note,
      ])
    }
  }

  return { rewrite, sealAgain }
}
