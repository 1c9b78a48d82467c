import type { Db } from '../../db/index.js'
import { operatorOf } from '../../resources/audit/index.js'
import { createProvider, type ProviderTypes } from '../../resources/providers/index.js'
import { createRoute } from '../../resources/routes/index.js'
import type { Secrets } from '../../secrets/index.js'
import { routes } from '../company/routes.js'
import type { Traffic } from '../traffic/traffic.js'

export interface ProviderOptions {
  db: Db
  secrets: Secrets
  providerTypes: ProviderTypes
  /** Names of the operator's own: the demo's calls are theirs as well, and its people may call them. */
  configuredProviders: readonly string[]
}

/** Hosts below `.invalid` do not exist, and the credentials are made up. */
const providers = [
  { name: 'openai', type: 'openai', path: '/v1', credentials: ['2026-08', '2026-11'] },
  { name: 'anthropic', type: 'anthropic', path: '', credentials: ['platform'] },
  { name: 'google', type: 'gemini', path: '/v1beta', credentials: ['platform'] },
] as const

/** Creates the providers of the calls, and the routes that some of the calls used. */
export async function fillProviders(
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
