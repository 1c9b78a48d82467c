import { type Changes, createTenantCache, type Db } from '../../db/index.js'
import { createModelDirectory, type ModelDirectory, type Provider } from '../../providers/index.js'
import { listPrices, type OwnPrices, splitPrices } from '../../resources/catalogue/index.js'
import {
  type ConfiguredProvider,
  listProviders,
  openProviders,
  type ProviderOfTenant,
  type ProviderTypes,
} from '../../resources/providers/index.js'
import { findTenantName } from '../../resources/tenants/index.js'
import type { Secrets } from '../../secrets/index.js'
import type { ConfiguredModels } from './configured-models.js'
import type { TenantProviders } from './live-providers.js'

export interface TenantModelsOptions {
  db: Db
  changes: Changes
  secrets: Secrets
  now(): Date
  providerTypes: ProviderTypes
  /** Reads what the configuration defines now. */
  configured(): ConfiguredModels
  mockProviders: readonly Provider[]
  tenantProviders: TenantProviders
}

/** What determines the models of a tenant. */
interface StoredModels {
  tenantId: string
  /** The providers of the configuration that the tenant may use. */
  configured: readonly ConfiguredProvider[]
  own: readonly ProviderOfTenant[]
  prices: OwnPrices
}

/** What a tenant can call now. */
export interface TenantModels extends StoredModels {
  live: readonly Provider[]
  directory: ModelDirectory
  /** When to load again without a change: a price takes effect, or decrypting a credential is retried. */
  validUntilMs: number
}

/** Reads the models of tenants, and keeps them until a row changes. */
export interface TenantModelsReader {
  current(tenantId: string): Promise<TenantModels>
  forget(tenantId: string): void
  /** Forgets the models of all tenants, because the configuration was read again. */
  forgetAll(): void
}

const tables = ['providers', 'provider_credentials', 'model_prices']
const forever = Number.POSITIVE_INFINITY
const undecryptableRetryMs = 5_000

export function createTenantModels(options: TenantModelsOptions): TenantModelsReader {
  const { db, changes, secrets, now, providerTypes, mockProviders, tenantProviders } = options
  /** Directories of tenants without providers and prices of their own, by the names of the providers that they may use. */
  // Bounded: sets of providers that the configuration gives to tenants.
  const shared = new Map<string, ModelDirectory>()

  const cache = createTenantCache<TenantModels>(changes, tables)
  /** Concurrent calls after a change share one load. They do not use a load that started before the change. */
  // Bounded: loads in progress, one for each tenant.
  const loading = new Map<string, Promise<TenantModels>>()
  changes.subscribe({
    onChange: ({ table, tenantId }) => {
      if (tables.includes(table)) loading.delete(tenantId)
    },
    onGap: () => loading.clear(),
  })

  function forget(tenantId: string): void {
    loading.delete(tenantId)
    cache.forget(tenantId)
  }

  function forgetAll(): void {
    loading.clear()
    cache.clear()
    shared.clear()
  }

  function load(tenantId: string): Promise<TenantModels> {
    const pending = loading.get(tenantId)
    if (pending) return pending
    const isNewest = () => loading.get(tenantId) === started
    const started: Promise<TenantModels> = read(tenantId)
      // Rows that were read before a change must not replace newer providers.
      .then((stored) => (isNewest() ? build(stored) : load(tenantId)))
      .finally(() => {
        if (isNewest()) loading.delete(tenantId)
      })
    loading.set(tenantId, started)
    return started
  }

  async function read(tenantId: string): Promise<StoredModels> {
    const [configured, stored, prices] = await Promise.all([
      readConfigured(tenantId),
      listProviders(db, tenantId),
      listPrices(db, tenantId),
    ])
    const own = await openProviders(stored, secrets, providerTypes)
    return { tenantId, configured, own, prices: splitPrices(prices, now()) }
  }

  /** Reads the providers of the configuration that this tenant may use. */
  async function readConfigured(tenantId: string): Promise<readonly ConfiguredProvider[]> {
    const { providers } = options.configured()
    if (providers.every(({ tenants }) => tenants === null)) return providers
    const name = await findTenantName(db, tenantId)
    return providers.filter(({ tenants }) => tenants === null || tenants.includes(name ?? ''))
  }

  function build({ tenantId, own, prices, ...stored }: StoredModels): TenantModels {
    const names = new Set(own.map(({ name }) => name))
    const { live: configuredProviders, models, catalogue } = options.configured()
    // A provider of the tenant takes precedence over one of the configuration with the same name.
    const configured = stored.configured.filter(({ name }) => !names.has(name))
    const enabled = own.filter(({ enabled }) => enabled)
    const unusable = new Map(
      enabled.flatMap(({ name, opened }) => ('fault' in opened ? [[name, opened.fault] as const] : [])),
    )
    const usable = enabled.flatMap(({ opened }) => ('fault' in opened ? [] : [opened]))
    const live = [
      ...configured.flatMap(({ name }) => configuredProviders.get(name) ?? []),
      ...mockProviders,
      ...tenantProviders.update(tenantId, usable),
    ]
    const hasOwn = own.length + prices.inForce.length > 0
    const make = () => {
      const configuredNames = new Set([
        ...configured.map(({ name }) => name),
        ...mockProviders.map(({ name }) => name),
      ])
      // Settings of the operator apply to providers of the configuration only.
      const settings = Object.entries(models).filter(([, { provider }]) => configuredNames.has(provider))
      return createModelDirectory({
        providers: live,
        catalogue,
        settings: Object.fromEntries(settings),
        ownPrices: prices.inForce,
        unusable,
      })
    }
    return {
      ...{ tenantId, configured, own, live, prices },
      directory: hasOwn ? make() : sharedBy(configured.map(({ name }) => name).join(' '), make),
      validUntilMs: Math.min(
        prices.nextChange?.getTime() ?? forever,
        own.some(({ undecryptable }) => undecryptable.length > 0)
          ? now().getTime() + undecryptableRetryMs
          : forever,
      ),
    }
  }

  function sharedBy(key: string, make: () => ModelDirectory): ModelDirectory {
    const directory = shared.get(key) ?? make()
    shared.set(key, directory)
    return directory
  }

  async function current(tenantId: string): Promise<TenantModels> {
    const found = await cache.get(tenantId, () => load(tenantId))
    if (found !== null && (found.validUntilMs === forever || now().getTime() < found.validUntilMs))
      return found
    forget(tenantId)
    return (await cache.get(tenantId, () => load(tenantId))) ?? (await load(tenantId))
  }
  return { current, forget, forgetAll }
}
