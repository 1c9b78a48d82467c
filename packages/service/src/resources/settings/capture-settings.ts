import { sql } from 'kysely'
import { type Changes, createTenantCache, type Db } from '../../db/index.js'

/** How content is captured for a tenant. */
export interface CaptureSettings {
  tenantId: string
  mode: 'off' | 'redacted' | 'full'
  /** The entry of the record that announced the mode. */
  modeSeq: number
  /** The last erasure that these settings include: calls that began under them began after it. */
  erasedTo: number
}

export interface ContentSettings {
  current(tenantId: string): Promise<CaptureSettings>
  /** Clears the cache, on the replica that made the change itself. */
  forget(tenantId: string): void
}

export function createContentSettings({ db, changes }: { db: Db; changes: Changes }): ContentSettings {
  const cache = createTenantCache<CaptureSettings>(changes, ['content_capture', 'erasures'])

  async function load(tenantId: string): Promise<CaptureSettings> {
    const { rows } = await sql<Pick<CaptureSettings, 'mode' | 'modeSeq' | 'erasedTo'>>`
      select coalesce(capture.mode, 'off') as mode,
        coalesce(capture.mode_seq, 0) as "modeSeq",
        coalesce((select max(control_seq) from erasures where tenant_id = ${tenantId}), 0) as "erasedTo"
      from (select) as always left join content_capture as capture on capture.tenant_id = ${tenantId}`.execute(
      db,
    )
    const [row] = rows
    if (!row) throw new Error('a join with one row gives one row')
    return { tenantId, ...row }
  }

  return {
    forget: cache.forget,
    current: async (tenantId) => (await cache.get(tenantId, () => load(tenantId))) ?? (await load(tenantId)),
  }
}
