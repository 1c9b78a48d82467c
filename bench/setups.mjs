import { startPostgres } from './database.mjs'
import { startHelper } from './processes.mjs'
import { benchKey, startService } from './service.mjs'
import { policyOf } from './setups/policies.mjs'
import { createTenants } from './setups/tenants.mjs'

/**
 * @typedef {import('./processes.mjs').Cleanup} Cleanup
 * @typedef {import('./service.mjs').Variant} Variant
 * @typedef {import('./service.mjs').Service} Service
 * @typedef {(upstream: string, cleanup: Cleanup, variant?: Variant) => Promise<Service>} Start
 */

/** The services that scenarios are measured with. @type {Record<import('./scenarios.mjs').Setup, Start>} */
export const setups = {
  plain: startService,

  'far database': async (upstream, cleanup, variant) => {
    const { url, folder } = await startPostgres(cleanup)
    const { port } = new URL(url)
    const { first } = await startHelper('setups/slow-link.mjs', [port], cleanup)
    const farUrl = url.replace(`:${port}/`, `:${first.port}/`)
    const service = await startService(upstream, cleanup, { ...variant, env: { DATABASE_URL: farUrl } })
    return { ...service, dataDir: folder }
  },

  tenants: async (upstream, cleanup, variant) => {
    const { url, folder } = await startPostgres(cleanup)
    const service = await startService(upstream, cleanup, { ...variant, env: { DATABASE_URL: url } })
    return { ...service, dataDir: folder, headers: await createTenants(url, 1_000, benchKey) }
  },

  policies: async (upstream, cleanup, variant) => {
    const service = await startService(upstream, cleanup, variant)
    for (let n = 0; n < 5; n++) await service.manage('/v1/policies', { name: `Policy ${n}`, ...policyOf(n) })
    return service
  },

  route: async (upstream, cleanup, variant) => {
    const service = await startService(upstream, cleanup, variant)
    const targets = [
      { model: 'gpt-4o-mini', weight: 1 },
      { model: 'gpt-4o', weight: 1 },
    ]
    await service.manage('/v1/routes', { name: 'routed', strategy: 'weighted', targets })
    return { ...service, model: 'routed' }
  },
}
