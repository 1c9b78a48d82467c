import { type SealedPlace, type Secrets, undecryptable } from '../../secrets/index.js'

/** Whose it is: a user's, or that of a key without one. */
export type Subject = `user:${string}` | `key:${string}`

export const subjectOf = ({ userId, keyId }: { userId: string | null; keyId: string | null }): Subject => {
  if (userId !== null) return `user:${userId}`
  if (keyId !== null) return `key:${keyId}`
  throw new Error('a principal has a user or a key')
}

/** One credential: a server of a tenant, and whom it is called for. */
export interface CredentialPlace {
  tenantId: string
  serverId: string
  subject: Subject
}

/** The client that consent is asked for as. What a manager set is read again from the server: its secret may have changed. */
export type GrantClient =
  | { type: 'configured'; clientId: string }
  | { type: 'registered'; information: RegisteredClient }
  /** Its id is the address of a document that says what it is. */
  | { type: 'document'; clientId: string }

export interface RegisteredClient {
  client_id: string
  client_secret?: string
  /** Seconds; 0 for never. */
  client_secret_expires_at?: number
  token_endpoint_auth_method?: string
}

/** What an authorization server says of itself, as far as it is needed again. */
export type AuthorizationServer = {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  response_types_supported: string[]
  token_endpoint_auth_methods_supported?: string[]
  authorization_response_iss_parameter_supported?: boolean
}

/** What a user's consent gave. */
export interface Grant {
  authorizationServer: AuthorizationServer
  client: GrantClient
  /** The server that the tokens are for (RFC 8707). */
  resource: string
  scope: string | null
  accessToken: string
  /** Null: when it has expired, the user must give consent again. */
  refreshToken: string | null
  obtainedAtMs: number
  /** Null where the server did not say. */
  expiresAtMs: number | null
}

/** It goes nowhere else than to the address that it was given for. */
export type StoredCredential = { url: string } & (
  | { type: 'header'; value: string }
  | { type: 'oauth'; grant: Grant }
)

// Two texts joined by a separator could be joined from others.
const placeOf = ({ tenantId, serverId, subject }: CredentialPlace): SealedPlace => ({
  purpose: 'mcp_credentials.sealed',
  tenantId,
  rowId: JSON.stringify([serverId, subject]),
})

export const sealCredential = (
  secrets: Secrets,
  place: CredentialPlace,
  credential: StoredCredential,
): Promise<Buffer> => secrets.seal(placeOf(place), Buffer.from(JSON.stringify(credential)))

export async function openCredential(
  secrets: Secrets,
  place: CredentialPlace,
  sealed: Buffer,
): Promise<StoredCredential | typeof undecryptable> {
  const opened = await secrets.open(placeOf(place), sealed)
  return opened === undecryptable ? undecryptable : JSON.parse(opened.toString())
}

/** When it ends for good; null where it does not, or nobody knows. */
export function endOf(credential: StoredCredential): Date | null {
  if (credential.type === 'header') return null
  const { refreshToken, expiresAtMs } = credential.grant
  return refreshToken !== null || expiresAtMs === null ? null : new Date(expiresAtMs)
}
