import type { Db } from '../../db/index.js'
import { readRecordSize, readRecordStart } from '../../record/index.js'
import { buildCalls, deleteStrayCalls } from './build.js'
import type { Position } from './search/position.js'

const dayMs = 86_400_000
const receiptsPerStep = 1_000
const rowsPerSweep = 5_000

export interface RebuildProgress {
  done: number
  total: number
}

/** Builds all calls of a tenant from its record, and deletes rows that are not in it. */
export async function rebuildCalls(
  db: Db,
  tenantId: string,
  { retentionDays, onProgress }: { retentionDays: number; onProgress(progress: RebuildProgress): void },
): Promise<{ built: number; deleted: number }> {
  const notBefore = new Date(Date.now() - retentionDays * dayMs)
  // Entries written from here on already have their rows.
  const size = await readRecordSize(db, tenantId)
  const first = (await readRecordStart(db, tenantId)).range.size
  let built = 0
  for (let afterSeq = first; afterSeq < size; afterSeq += receiptsPerStep) {
    onProgress({ done: afterSeq - first, total: size - first })
    const upToSeq = Math.min(size, afterSeq + receiptsPerStep)
    built += await buildCalls(db, { tenantId, afterSeq, upToSeq, notBefore })
  }
  let deleted = 0
  for (let after: Position | null = null; ; ) {
    const swept = await deleteStrayCalls(db, tenantId, { after, upToSeq: size, rows: rowsPerSweep })
    deleted += swept.deleted
    if (swept.end === null) break
    after = swept.end
  }
  onProgress({ done: size - first, total: size - first })
  return { built, deleted }
}
