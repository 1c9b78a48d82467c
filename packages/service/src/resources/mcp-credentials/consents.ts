import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, type Periodic, startPeriodic, type Tx } from '../../db/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import type { Actor } from '../audit/index.js'
import type { AuthorizationServer, CredentialKey, GrantClient, Subject } from './credential.js'

/** A user's consent in progress in a browser. */
export interface Consent extends CredentialKey {
  /** The user who requested it. */
  actor: Actor
  /** The server's address at that time. */
  url: string
  authorizationServer: AuthorizationServer
  client: GrantClient
  resource: string
  scope: string | null
  codeVerifier: string
  redirectUri: string
  /** The hash of the value in the browser's cookie. */
  browser: string
}

export interface Consents {
  /** Expires after ten minutes. */
  begin(state: string, consent: Consent): Promise<void>
  /** Returns null for a state that was not issued, was used, or has expired. */
  find(state: string): Promise<Consent | null>
  /** Claims the consent, so that no other request can use it. False when another request was faster. */
  claim(state: string): Promise<boolean>
  /** Returns false when it was withdrawn in the meantime: its user was erased, or its server deleted. */
  end(tx: Tx, state: string): Promise<boolean>
}

export const maxConsentMs = 10 * 60_000
// Links can be opened repeatedly; the latest few of one user for one server are valid.
const maxOpen = 10
const pruneMs = 3_600_000

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

const locationOf = (id: string, tenantId: string) => ({
  purpose: 'mcp_consents.sealed',
  tenantId,
  rowId: id,
})

export function createConsents({ db, secrets }: { db: Db; secrets: Secrets }): Consents {
  return {
    async begin(state, consent) {
      const { tenantId, serverId, subject } = consent
      const id = hashOf(state)
      const sealed = await secrets.seal(locationOf(id, tenantId), Buffer.from(JSON.stringify(consent)))
      const expires = new Date(Date.now() + maxConsentMs)
      await db
        .insertInto('mcp_consents')
        .values({ id, tenant_id: tenantId, server_id: serverId, subject, sealed, expires_at: expires })
        .execute()
      await sql`
        delete from mcp_consents where id in (
          select id from mcp_consents where tenant_id = ${tenantId} and subject = ${subject} and server_id = ${serverId}
          order by expires_at desc offset ${maxOpen})`.execute(db)
    },
    async find(state) {
      const id = hashOf(state)
      const row = await db
        .selectFrom('mcp_consents')
        .select(['tenant_id', 'server_id', 'subject', 'sealed'])
        .where('id', '=', id)
        .where('expires_at', '>', sql<Date>`now()`)
        .executeTakeFirst()
      if (!row) return null
      const opened = await secrets.open(locationOf(id, row.tenant_id), row.sealed)
      if (opened === undecryptable) return null
      const consent: Consent = JSON.parse(opened.toString())
      return { ...consent, serverId: row.server_id, subject: row.subject as Subject }
    },
    async claim(state) {
      const { numUpdatedRows } = await db
        .updateTable('mcp_consents')
        // `now()` is the start of the transaction: the slower of two may have started first, and would find the
        // consent unclaimed.
        .set({ expires_at: sql<Date>`clock_timestamp()` })
        .where('id', '=', hashOf(state))
        .where('expires_at', '>', sql<Date>`clock_timestamp()`)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async end(tx, state) {
      const { numDeletedRows } = await tx
        .deleteFrom('mcp_consents')
        .where('id', '=', hashOf(state))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

export function startPruningConsents({ db, onError }: { db: Db; onError(error: unknown): void }): Periodic {
  const run = async () => {
    // A claimed consent has expired but may still be in progress.
    await db
      .deleteFrom('mcp_consents')
      .where('expires_at', '<', sql<Date>`now() - interval '1 hour'`)
      .execute()
  }
  return startPeriodic({ run, everyMs: pruneMs, startsAtOnce: true, onError })
}
