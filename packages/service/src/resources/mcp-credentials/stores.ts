import type { Db } from '../../db/index.js'
import type { Secrets } from '../../secrets/index.js'
import { type Consents, createConsents } from './consents.js'
import { createMcpCredentials, type McpCredentials } from './credentials.js'
import { type ConsentLinks, createConsentLinks } from './links.js'
import { createOAuthClients, type OAuthClients } from './oauth-clients.js'

/** The stores that let users call servers as themselves. All content is sealed. */
export interface CredentialStores {
  credentials: McpCredentials
  links: ConsentLinks
  consents: Consents
  clients: OAuthClients
}

export const createCredentialStores = (parts: { db: Db; secrets: Secrets }): CredentialStores => ({
  credentials: createMcpCredentials(parts),
  links: createConsentLinks(parts.secrets),
  consents: createConsents(parts),
  clients: createOAuthClients(parts),
})
