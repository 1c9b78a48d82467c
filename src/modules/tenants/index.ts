export { keepLastManager } from './last-manager.js'
export { createTenant, ensureFirstTenant, findTenant, listTenants, type Tenant } from './store.js'
