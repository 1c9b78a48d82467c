import { asObject } from '@tallystick/record/json'
import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'

/** A session that a server opened. */
export interface UpstreamSession {
  protocolVersion: string
  sessionId: string
  /** The key it was opened for, whose credential ends it. */
  keyId: string
  userId: string | null
}

/** Sessions of older servers, shared by all replicas. `owner` identifies who each belongs to. */
export interface UpstreamSessions {
  find(server: ServerKey, owner: string): Promise<UpstreamSession | null>
  keep(server: ServerKey, owner: string, session: UpstreamSession): Promise<void>
  /** Deletes it only while it is still this session: another replica may have replaced it. */
  forget(server: ServerKey, owner: string, sessionId: string): Promise<void>
  /** Removes and returns all sessions whose owner has this prefix. */
  take(tenantId: string, ownerPrefix: string): Promise<{ serverId: string; session: UpstreamSession }[]>
}

interface ServerKey {
  id: string
  tenantId: string
}

// Few servers keep a session longer than this without a call; one that has ended is reported by the server and
// replaced.
const keepFor = sql<Date>`now() + interval '24 hours'`

export function createUpstreamSessions({ db, secrets }: { db: Db; secrets: Secrets }): UpstreamSessions {
  const locationOf = (tenantId: string, serverId: string, owner: string) => ({
    purpose: 'mcp_sessions.sealed',
    tenantId,
    rowId: `${serverId} ${owner}`,
  })

  interface Row {
    tenant_id: string
    server_id: string
    owner: string
    sealed: Buffer
    protocol_version: string
  }

  /** A session that cannot be decrypted counts as missing: the server opens another. */
  async function open(row: Row): Promise<UpstreamSession | null> {
    const opened = await secrets.open(locationOf(row.tenant_id, row.server_id, row.owner), row.sealed)
    if (opened === undecryptable) return null
    const { sessionId, keyId, userId } = asObject(JSON.parse(opened.toString()))
    if (typeof sessionId !== 'string' || typeof keyId !== 'string') return null
    return {
      protocolVersion: row.protocol_version,
      sessionId,
      keyId,
      userId: typeof userId === 'string' ? userId : null,
    }
  }

  const rowOf = ({ tenantId, id }: ServerKey, owner: string) =>
    db
      .selectFrom('mcp_sessions')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('server_id', '=', id)
      .where('owner', '=', owner)
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst()

  return {
    async find(server, owner) {
      const row = await db
        .updateTable('mcp_sessions')
        .set({ used_at: sql<Date>`now()`, expires_at: keepFor })
        .where('tenant_id', '=', server.tenantId)
        .where('server_id', '=', server.id)
        .where('owner', '=', owner)
        .where('expires_at', '>', sql<Date>`now()`)
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? null : await open(row)
    },
    async keep({ tenantId, id }, owner, { protocolVersion, ...session }) {
      const plain = Buffer.from(JSON.stringify(session))
      const sealed = await secrets.seal(locationOf(tenantId, id, owner), plain)
      const values = { sealed, protocol_version: protocolVersion, used_at: new Date(), expires_at: keepFor }
      await db
        .insertInto('mcp_sessions')
        .values({ tenant_id: tenantId, server_id: id, owner, ...values })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'server_id', 'owner']).doUpdateSet(values))
        .execute()
    },
    async forget(server, owner, sessionId) {
      const row = await rowOf(server, owner)
      if (row === undefined || (await open(row))?.sessionId !== sessionId) return
      await db
        .deleteFrom('mcp_sessions')
        .where('tenant_id', '=', server.tenantId)
        .where('server_id', '=', server.id)
        .where('owner', '=', owner)
        .where('sealed', '=', row.sealed)
        .execute()
    },
    async take(tenantId, ownerPrefix) {
      const rows = await db
        .deleteFrom('mcp_sessions')
        .where('tenant_id', '=', tenantId)
        .where(sql<boolean>`starts_with(owner, ${ownerPrefix})`)
        .returningAll()
        .execute()
      const taken: { serverId: string; session: UpstreamSession }[] = []
      for (const row of rows) {
        const session = await open(row)
        if (session !== null) taken.push({ serverId: row.server_id, session })
      }
      return taken
    },
  }
}

export async function deleteOldUpstreamSessions(db: Db): Promise<void> {
  await sql`delete from mcp_sessions where expires_at < now()`.execute(db)
}
