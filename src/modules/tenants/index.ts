export { createTenant, ensureFirstTenant, findTenant, listTenants, type Tenant } from './store.js'
