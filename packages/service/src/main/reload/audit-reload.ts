import { hostname } from 'node:os'
import { type Db, inTransaction } from '../../db/index.js'
import { operatorOf, recordChange } from '../../resources/audit/index.js'
import { listTenants } from '../../resources/tenants/index.js'

/** Notes in the audit log of each tenant that the operator changed settings. Their values may be secrets, so only names are written. */
export async function recordReload(
  db: Db,
  { changed, needRestart }: { changed: readonly string[]; needRestart: readonly string[] },
): Promise<void> {
  const change = {
    action: 'configuration.reload' as const,
    subjectId: hostname(),
    before: null,
    after: { changed, needRestart },
  }
  for (const { id } of await listTenants(db))
    await inTransaction(db, async (tx) => await recordChange(tx, operatorOf(id), change))
}
