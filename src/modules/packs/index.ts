export { loadPacks } from './pack-file.js'
export { createPacksInForce, type PacksInForce } from './packs-in-force.js'
export { registerPackRoutes } from './routes.js'
export { listActivePacks } from './store.js'
