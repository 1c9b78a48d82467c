import type { Db } from '../../db/index.js'
import { readRecordStart } from './record-bounds.js'
import { readTreeHashes } from './stored-tree.js'

/** Whether the record had this root at this size, by the stored hashes. True where the entries are dropped. */
export async function hasRoot(db: Db, tenantId: string, size: number, root: Buffer): Promise<boolean> {
  const { range: dropped } = await readRecordStart(db, tenantId)
  if (size < dropped.size) return true
  const whole = { start: 0, end: size }
  try {
    const hashes = await readTreeHashes(db, tenantId, [whole], dropped)
    return hashes.rootOf(whole)?.equals(root) ?? false
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
