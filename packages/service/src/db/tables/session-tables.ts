import type { Generated } from 'kysely'

interface SessionsTable {
  id: string
  tenant_id: string
  hash: Buffer
  key_id: string | null
  user_id: string | null
  ip: string
  user_agent: string
  created_at: Generated<Date>
  last_seen_at: Generated<Date>
  ended_at: Date | null
}

interface OidcIdentitiesTable {
  tenant_id: string
  issuer: string
  /** SHA-256 of the subject, in hex. */
  subject: string
  user_id: string
  created_at: Generated<Date>
}

/** Sessions of users who signed in. */
export interface SessionTables {
  sessions: SessionsTable
  oidc_identities: OidcIdentitiesTable
}
