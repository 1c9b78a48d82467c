import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'
import { configuredFor, configuredId, type ReadConfigured } from '../configured.js'
import { listServers } from '../store.js'

/** A server with tools that need a decision. */
export interface WaitingTools {
  serverId: string
  serverName: string
  new: number
  changed: number
  oldestAt: Date | null
}

/**
 * Lists servers by name, if they are enabled and their pins matter. Plan: one scan of the tenant's tools, at most a
 * hundred thousand.
 */
export async function listWaitingTools(
  { db, configured }: { db: Db; configured: ReadConfigured },
  tenantId: string,
): Promise<WaitingTools[]> {
  const [own, given] = await Promise.all([listServers(db, tenantId), configuredFor(db, configured, tenantId)])
  const names = new Map([
    ...given
      .filter(({ name, pinning }) => pinning !== 'off' && own.every((row) => row.name !== name))
      .map((server) => [configuredId(server), server.name] as const),
    ...own
      .filter(({ enabled, pinning }) => enabled && pinning !== 'off')
      .map(({ id, name }) => [id, name] as const),
  ])
  if (names.size === 0) return []
  const { rows } = await sql<Omit<WaitingTools, 'serverName'>>`
    select server_id as "serverId",
      (count(*) filter (where approved_hash is null))::int as new,
      (count(*) filter (where approved_hash is not null))::int as changed,
      min(seen_at) as "oldestAt"
    from mcp_tools
    where tenant_id = ${tenantId} and server_id = any(${[...names.keys()]}::text[])
      and gone_at is null and not blocked and (approved_hash is distinct from seen_hash or fault is not null)
    group by server_id`.execute(db)
  return rows
    .map((row) => ({ ...row, serverName: names.get(row.serverId) ?? '' }))
    .sort((a, b) => (a.serverName < b.serverName ? -1 : 1))
}
