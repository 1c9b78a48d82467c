export { type OwnPrices, splitPrices } from './own-prices.js'
export { type CatalogueReader, registerCatalogueRoutes } from './routes.js'
export type { CatalogueModel } from './schema.js'
export { listPrices } from './store.js'
