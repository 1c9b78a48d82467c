export { demoEvent, isDemoTenant } from './demo-tenant.js'
export { keepLastManager } from './last-manager.js'
export { createTenant, ensureFirstTenant } from './manage.js'
export { findTenant, findTenantName, listTenants } from './store.js'
