import { type SealedLocation, type Secrets, undecryptable } from '../../secrets/index.js'

/** The owner: a user, or a key without one. */
export type Subject = `user:${string}` | `key:${string}`

export const subjectOf = ({ userId, keyId }: { userId: string | null; keyId: string | null }): Subject => {
  if (userId !== null) return `user:${userId}`
  if (keyId !== null) return `key:${keyId}`
  throw new Error('a principal has a user or a key')
}

/** Identifies a credential: the server, and the user or key that it is for. */
export interface CredentialKey {
  tenantId: string
  serverId: string
  subject: Subject
}

/**
 * The OAuth client that requests consent. Settings of a manager are read again from the server, because the secret
 * may have changed.
 */
export type GrantClient =
  | { type: 'configured'; clientId: string }
  | { type: 'registered'; information: RegisteredClient }
  /** Its id is the address of a document that describes it. */
  | { type: 'document'; clientId: string }

export interface RegisteredClient {
  client_id: string
  client_secret?: string
  /** In seconds; 0 means never. */
  client_secret_expires_at?: number
  token_endpoint_auth_method?: string
}

/** The metadata of an authorization server that is needed again. */
export type AuthorizationServer = {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  response_types_supported: string[]
  token_endpoint_auth_methods_supported?: string[]
  authorization_response_iss_parameter_supported?: boolean
}

/** The tokens that a user's consent yielded. */
export interface Grant {
  authorizationServer: AuthorizationServer
  client: GrantClient
  /** The server that the tokens are for (RFC 8707). */
  resource: string
  scope: string | null
  accessToken: string
  /** Null when the user must give consent again after expiry. */
  refreshToken: string | null
  obtainedAtMs: number
  /** Null when the server did not report it. */
  expiresAtMs: number | null
}

/** It is sent only to the address that it was given for. */
export type StoredCredential = { url: string } & (
  | { type: 'header'; value: string }
  | { type: 'oauth'; grant: Grant }
)

// Joined with a separator, two texts could be ambiguous.
const locationOf = ({ tenantId, serverId, subject }: CredentialKey): SealedLocation => ({
  purpose: 'mcp_credentials.sealed',
  tenantId,
  rowId: JSON.stringify([serverId, subject]),
})

export const sealCredential = (
  secrets: Secrets,
  key: CredentialKey,
  credential: StoredCredential,
): Promise<Buffer> => secrets.seal(locationOf(key), Buffer.from(JSON.stringify(credential)))

export async function openCredential(
  secrets: Secrets,
  key: CredentialKey,
  sealed: Buffer,
): Promise<StoredCredential | typeof undecryptable> {
  const opened = await secrets.open(locationOf(key), sealed)
  return opened === undecryptable ? undecryptable : JSON.parse(opened.toString())
}

/** Returns when the credential expires for good; null when it does not, or it is not known. */
export function endOf(credential: StoredCredential): Date | null {
  if (credential.type === 'header') return null
  const { refreshToken, expiresAtMs } = credential.grant
  return refreshToken !== null || expiresAtMs === null ? null : new Date(expiresAtMs)
}
