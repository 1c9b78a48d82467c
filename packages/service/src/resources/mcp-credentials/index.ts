export {
  type Consent,
  type Consents,
  hashOf,
  maxConsentMs,
  startPruningConsents,
} from './consents.js'
export {
  type AuthorizationServer,
  type CredentialKey,
  type Grant,
  type GrantClient,
  type RegisteredClient,
  type StoredCredential,
  subjectOf,
} from './credential.js'
export type { McpCredentials } from './credentials.js'
export type { ConsentLinks } from './links.js'
export { isOf, keepCredential } from './manage.js'
export type { OAuthClients } from './oauth-clients.js'
export { registerMcpCredentialRoutes } from './routes.js'
export { eraseCredentials } from './store.js'
export { type CredentialStores, createCredentialStores } from './stores.js'
