import { setTimeout } from 'node:timers/promises'
import { type Config, defaultLimits, defaultTimeouts } from '../../config/index.js'
import { type Changes, createTenantCache, type Db } from '../../db/index.js'
import type { Outbound } from '../../outbound/index.js'
import {
  createHttpProvider,
  createMockProvider,
  createModelDirectory,
  knownProviders,
  type ModelDirectories,
  type ModelDirectory,
  mockSettings,
  type Provider,
  readCatalogue,
} from '../../providers/index.js'
import type { KnownCredential } from '../../reporting/attention/index.js'
import {
  type CatalogueReader,
  listPrices,
  type OwnPrices,
  splitPrices,
} from '../../resources/catalogue/index.js'
import {
  type ConfiguredProvider,
  type CredentialState,
  type LiveProviders,
  listProviders,
  openProviders,
  type ProviderOfTenant,
  type ProviderTest,
  type ProviderTypes,
} from '../../resources/providers/index.js'
import { findTenantName } from '../../resources/tenants/index.js'
import type { Secrets } from '../../secrets/index.js'
import { createTenantProviders, type ProviderFault } from './live-providers.js'
import { presentCatalogue } from './present-catalogue.js'

export interface ModelDirectoriesOptions {
  config: Pick<Config, 'providers' | 'models' | 'pricesFile' | 'strictness'>
  db: Db
  changes: Changes
  secrets: Secrets
  outbound: Outbound
  onFault(fault: ProviderFault): void
  now(): Date
  warn(message: string): void
}

/** What is known of types of providers, for whoever lets people set them. */
export const providerTypes: ProviderTypes = {
  faultsIn: knownProviders.faultsIn,
  baseUrlOf: knownProviders.baseUrlOf,
  dialectsOf: (type) => knownProviders.types.get(type)?.dialects ?? [],
  defaultTimeouts,
  defaultLimits,
}

/** What decides on the models of a tenant. */
interface StoredModels {
  tenantId: string
  configured: readonly ConfiguredProvider[]
  own: readonly ProviderOfTenant[]
  prices: OwnPrices
}

/** What a tenant can call now. */
interface TenantModels extends StoredModels {
  live: readonly Provider[]
  directory: ModelDirectory
  /** When something changes by itself: a price comes into force, or what cannot be decrypted is tried again. */
  validUntilMs: number
}

const tables = ['providers', 'provider_credentials', 'model_prices']
const forever = Number.POSITIVE_INFINITY
const undecryptableRetryMs = 5_000
const maxTestMs = 10_000

export interface Directories extends ModelDirectories {
  /** For the management API. */
  providers: LiveProviders
  catalogue: CatalogueReader
  /** How the credentials of every provider of a tenant do, for whoever has to see to them. */
  credentialsOf(tenantId: string): Promise<KnownCredential[]>
  close(): Promise<void>
}

/**
 * Which models each tenant can call: those of the configuration's providers, which all tenants share, and of its own, at the catalogue's
 * prices or its own. Read again when a row changes, on every replica.
 */
export function createModelDirectories(options: ModelDirectoriesOptions): Directories {
  const { config, db, changes, secrets, now } = options
  const isTrial = !config.strictness.strict
  const ofConfig = new Map(
    config.providers.map((provider) => [
      provider.name,
      createHttpProvider(provider, {
        mayReadFiles: true,
        onCredentialFault: (fault) =>
          options.onFault({ ...fault, tenantId: null, providerId: provider.id, providerName: provider.name }),
      }),
    ]),
  )
  const mocks = isTrial ? [createMockProvider()] : []
  const ofTenants = createTenantProviders(options)
  const catalogue = readCatalogue({
    pricesFile: config.pricesFile,
    withMock: isTrial,
    pricesOf: [...ofConfig.values(), ...mocks].map(({ pricesOf }) => pricesOf),
    warn: options.warn,
  })
  /** Of tenants without anything of their own, by the names of the providers that they may use. */
  // Bounded: sets of providers that the operator’s file gives to tenants.
  const shared = new Map<string, ModelDirectory>()

  const cache = createTenantCache<TenantModels>(changes, tables)
  /** Many calls at once after a change cause one load. One that began before the change is not waited for. */
  // Bounded: loads under way, one for each tenant.
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

  function load(tenantId: string): Promise<TenantModels> {
    const underWay = loading.get(tenantId)
    if (underWay) return underWay
    const isNewest = () => loading.get(tenantId) === mine
    const mine: Promise<TenantModels> = read(tenantId)
      // What was read before a change must not replace providers that follow it.
      .then((stored) => (isNewest() ? build(stored) : load(tenantId)))
      .finally(() => {
        if (isNewest()) loading.delete(tenantId)
      })
    loading.set(tenantId, mine)
    return mine
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

  /** Those that the configuration gives to this tenant. */
  async function readConfigured(tenantId: string): Promise<readonly ConfiguredProvider[]> {
    if (config.providers.every(({ tenants }) => tenants === null)) return config.providers
    const name = await findTenantName(db, tenantId)
    return config.providers.filter(({ tenants }) => tenants === null || tenants.includes(name ?? ''))
  }

  function build({ tenantId, own, prices, ...stored }: StoredModels): TenantModels {
    const names = new Set(own.map(({ name }) => name))
    // A name that the tenant has given to a provider of its own goes on leading there.
    const configured = stored.configured.filter(({ name }) => !names.has(name))
    const enabled = own.filter(({ enabled }) => enabled)
    const unusable = new Map(
      enabled.flatMap(({ name, opened }) => ('fault' in opened ? [[name, opened.fault] as const] : [])),
    )
    const usable = enabled.flatMap(({ opened }) => ('fault' in opened ? [] : [opened]))
    const live = [
      ...configured.flatMap(({ name }) => ofConfig.get(name) ?? []),
      ...mocks,
      ...ofTenants.update(tenantId, usable),
    ]
    const hasOwn = own.length + prices.inForce.length > 0
    const make = () => {
      const configuredNames = new Set([
        ...configured.map(({ name }) => name),
        ...mocks.map(({ name }) => name),
      ])
      // What the operator set is about the operator's providers.
      const settings = Object.entries(config.models).filter(([, { provider }]) =>
        configuredNames.has(provider),
      )
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

  async function modelsOf(tenantId: string): Promise<TenantModels> {
    const found = await cache.get(tenantId, () => load(tenantId))
    if (found !== null && (found.validUntilMs === forever || now().getTime() < found.validUntilMs))
      return found
    forget(tenantId)
    return (await cache.get(tenantId, () => load(tenantId))) ?? (await load(tenantId))
  }

  return {
    for: async (tenantId) => (await modelsOf(tenantId)).directory,
    providers: {
      forget,
      isReserved: (name) => name === mockSettings.name,
      configuredFor: async (tenantId) => [
        ...(await modelsOf(tenantId)).configured,
        ...(isTrial ? [{ ...mockSettings, timeouts: defaultTimeouts, limits: defaultLimits }] : []),
      ],
      async credentialsOf(tenantId) {
        const { live } = await modelsOf(tenantId)
        return new Map<string, CredentialState>(
          live.flatMap((provider) => provider.credentials()).map((state) => [state.id, state]),
        )
      },
      async test(tenantId, providerId) {
        const { live, own } = await modelsOf(tenantId)
        const inUse = live.find(({ id }) => id === providerId)
        if (inUse) return await checkInTime(inUse)
        const stored = own.find(({ id }) => id === providerId)
        if (stored === undefined) return undefined
        if ('fault' in stored.opened) return { ok: false, latencyMs: 0, error: stored.opened.fault }
        const once = ofTenants.createOnce(stored.opened)
        return await checkInTime(once).finally(() => once.transport.retire())
      },
    },
    credentialsOf: async (tenantId) => describeCredentials(await modelsOf(tenantId)),
    catalogue: {
      forget,
      async models(tenantId) {
        const { directory, live, prices } = await modelsOf(tenantId)
        return presentCatalogue(directory, live, prices)
      },
      async providers(tenantId) {
        const { live, own } = await modelsOf(tenantId)
        return [...live.map(({ name }) => name), ...own.map(({ name }) => name)]
      },
    },
    async close() {
      await Promise.all([...ofConfig.values(), ...mocks].map(({ transport }) => transport.close()))
      await ofTenants.close()
    },
  }
}

async function checkInTime(provider: Provider): Promise<ProviderTest> {
  const tooLate = { ok: false, latencyMs: maxTestMs, error: `No answer within ${maxTestMs / 1_000} s` }
  const timer = new AbortController()
  const deadline = setTimeout(maxTestMs, tooLate, { signal: timer.signal, ref: false })
  // When the check is faster.
  deadline.catch(() => undefined)
  return await Promise.race([provider.check(), deadline]).finally(() => timer.abort())
}

function describeCredentials({ live, own }: TenantModels): KnownCredential[] {
  const called = live.flatMap((provider) =>
    provider.credentials().map(({ id, status, lastError }): KnownCredential => {
      const isRefused = status === 'resting' && (lastError?.status === 401 || lastError?.status === 403)
      return {
        ...{ providerId: provider.id, providerName: provider.name, credentialId: id },
        state: isRefused ? 'refused' : 'ok',
        message: lastError?.message ?? '',
        at: lastError === null ? null : new Date(lastError.atMs),
      }
    }),
  )
  const lost = own.flatMap(({ id: providerId, name: providerName, undecryptable }) =>
    undecryptable.map((credentialId): KnownCredential => {
      const message = `A credential of provider ${providerName} cannot be decrypted`
      return { providerId, providerName, credentialId, state: 'undecryptable', message, at: null }
    }),
  )
  return [...called, ...lost]
}
