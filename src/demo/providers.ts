import type { Db } from '../db/index.js'
import { operatorOf } from '../modules/audit/index.js'
import { createProvider, type ProviderTypes } from '../modules/providers/index.js'
import { createRoute } from '../modules/routes/index.js'
import type { Secrets } from '../secrets/index.js'
import { routes } from './routes.js'
import type { Traffic } from './traffic.js'

export interface ProviderOptions {
  db: Db
  secrets: Secrets
  providerTypes: ProviderTypes
  /** Names of the operator's own: the demo's calls are theirs as well, and its people may call them. */
  configuredProviders: readonly string[]
}

/** Nothing answers below `.invalid`, and the credentials are made up. */
const providers = [
  { name: 'openai', type: 'openai', path: '/v1', credentials: ['2026-08', '2026-11'] },
  { name: 'anthropic', type: 'anthropic', path: '', credentials: ['platform'] },
  { name: 'google', type: 'gemini', path: '/v1beta', credentials: ['platform'] },
] as const

/** Whom the calls went to, and the routes that led some of them there. */
export async function furnishProviders(
  { db, secrets, providerTypes, configuredProviders }: ProviderOptions,
  tenantId: string,
  { models }: Traffic,
): Promise<void> {
  const operator = operatorOf(tenantId)
  for (const { name, type, path, credentials } of providers) {
    if (configuredProviders.includes(name)) continue
    await createProvider({ db, secrets, types: providerTypes }, operator, {
      name,
      type,
      baseUrl: `https://${name}.northwind.invalid${path}`,
      credentials: credentials.map((each) => ({ name: each, value: `made-up-${name}-${each}` })),
    })
  }
  for (const { name, strategy, targets, stickyBy, cache } of routes)
    await createRoute(db, operator, {
      name,
      strategy,
      targets: targets.map((model) => ({ model: `${models[model].provider}/${model}` })),
      stickyBy,
      cache,
    })
}
