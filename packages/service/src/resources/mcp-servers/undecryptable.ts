import type { Db } from '../../db/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import { openClientSecret, openHeaders } from './secrets.js'

/** Lists the servers with a secret that cannot be decrypted. */
export async function listUndecryptableServers(db: Db, secrets: Secrets): Promise<string[]> {
  const rows = await db.selectFrom('mcp_servers').selectAll().where('deleted_at', 'is', null).execute()
  const ids: string[] = []
  for (const row of rows) {
    const opened = [await openHeaders(secrets, row), await openClientSecret(secrets, row)]
    if (opened.includes(undecryptable)) ids.push(row.id)
  }
  return ids
}
