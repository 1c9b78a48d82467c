export { type Entitlements, scopeIdsOf, spendScopesOf } from './entitlements.js'
export { createKeyIdentities, findEntitlements } from './key-identities.js'
export { createKey } from './manage.js'
export { registerKeyRoutes } from './routes.js'
