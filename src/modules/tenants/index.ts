export { keepLastManager } from './last-manager.js'
export { createTenant, ensureFirstTenant, findTenant, listTenants } from './store.js'
