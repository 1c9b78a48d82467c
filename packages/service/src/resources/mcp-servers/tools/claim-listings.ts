import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'
import { type ConfiguredMcpServer, configuredId } from '../configured.js'
import type { ServerKey } from '../store.js'

interface Row {
  tenant_id: string
  server_id: string
}
const toServerKey = ({ tenant_id, server_id }: Row): ServerKey => ({ tenantId: tenant_id, id: server_id })

/**
 * Claims servers whose listing is too old, or older than their settings, for one replica. Servers that only users
 * can ask, each with their own credential, are not included.
 */
export async function claimDueListings(
  db: Db,
  configured: readonly ConfiguredMcpServer[],
  maxAgeMs: number,
  max: number,
): Promise<ServerKey[]> {
  const age = sql`make_interval(secs => ${maxAgeMs / 1_000})`
  // When two replicas find the same server due, the second sees that it was just claimed.
  const { rows } = await sql<Row>`
    insert into mcp_listings as l (tenant_id, server_id, status, checked_at)
    select s.tenant_id, s.id, 'ok', clock_timestamp()
    from mcp_servers s left join mcp_listings known on known.tenant_id = s.tenant_id and known.server_id = s.id
    where s.deleted_at is null and s.enabled and s.auth->>'type' = 'none'
      and (known.checked_at is null or known.checked_at < now() - ${age} or known.checked_at < s.updated_at)
    order by known.checked_at nulls first, s.id
    limit ${max}
    on conflict (tenant_id, server_id) do update set checked_at = excluded.checked_at
      where l.checked_at < excluded.checked_at - interval '3 seconds'
    returning tenant_id, server_id`.execute(db)
  const serverKeys = rows.map(toServerKey)
  for (const server of configured)
    if (server.auth.type === 'none') serverKeys.push(...(await claimOfFile(db, server, maxAgeMs, max)))
  return serverKeys
}

/** Claims a server of the file for each tenant that has it. */
async function claimOfFile(
  db: Db,
  server: ConfiguredMcpServer,
  maxAgeMs: number,
  max: number,
): Promise<ServerKey[]> {
  const age = sql`make_interval(secs => ${maxAgeMs / 1_000})`
  const { rows } = await sql<Row>`
    insert into mcp_listings as l (tenant_id, server_id, status, checked_at)
    select t.id, ${configuredId(server)}, 'ok', clock_timestamp()
    from tenants t left join mcp_listings known on known.tenant_id = t.id and known.server_id = ${configuredId(server)}
    where (${server.tenants === null} or t.name = any(${server.tenants ?? []}::text[]))
      and (known.checked_at is null or known.checked_at < now() - ${age})
    order by t.id
    limit ${max}
    on conflict (tenant_id, server_id) do update set checked_at = excluded.checked_at
      where l.checked_at < excluded.checked_at - interval '3 seconds'
    returning tenant_id, server_id`.execute(db)
  return rows.map(toServerKey)
}

/** Claims the listing of one server. Returns false if its tools were listed within this time. */
export async function claimListing(db: Db, { tenantId, id }: ServerKey, maxAgeMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into mcp_listings as l (tenant_id, server_id, status, checked_at)
    values (${tenantId}, ${id}, 'ok', clock_timestamp())
    on conflict (tenant_id, server_id) do update set checked_at = excluded.checked_at
      where l.checked_at < excluded.checked_at - make_interval(secs => ${maxAgeMs / 1_000})
    returning tenant_id`.execute(db)
  return rows.length > 0
}
