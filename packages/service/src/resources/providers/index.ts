export type { ConfiguredProvider, CredentialState, LiveProviders, ProviderTypes } from './live.js'
export { createProvider } from './manage.js'
export { registerProviderRoutes } from './routes.js'
export type { ProviderTest } from './schema.js'
export {
  listUndecryptableProviders,
  type OpenedProvider,
  openProviders,
  type ProviderOfTenant,
} from './settings.js'
export { listProviders } from './store.js'
