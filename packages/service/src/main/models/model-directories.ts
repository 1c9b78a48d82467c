import { setTimeout } from 'node:timers/promises'
import { defaultLimits, defaultTimeouts } from '../../config/index.js'
import type { Changes, Db } from '../../db/index.js'
import type { Outbound } from '../../outbound/index.js'
import { type ModelDirectories, mockSettings, type Provider, vendorRules } from '../../providers/index.js'
import type { ReportedCredential } from '../../reporting/attention/index.js'
import type { CatalogueReader } from '../../resources/catalogue/index.js'
import type {
  CredentialState,
  LiveProviders,
  ProviderTest,
  ProviderTypes,
} from '../../resources/providers/index.js'
import type { Secrets } from '../../secrets/index.js'
import type { LiveConfig } from '../reload/live-config.js'
import { createConfiguredModels } from './configured-models.js'
import { createTenantProviders, type ProviderFault } from './live-providers.js'
import { presentCatalogue } from './present-catalogue.js'
import { createTenantModels, type TenantModels } from './tenant-models.js'

export interface ModelDirectoriesOptions {
  live: LiveConfig
  db: Db
  changes: Changes
  secrets: Secrets
  outbound: Outbound
  onFault(fault: ProviderFault): void
  now(): Date
  warn(message: string): void
}

/** What the management API needs to know about vendors to validate providers. */
export const providerTypes: ProviderTypes = {
  faultsIn: vendorRules.faultsIn,
  baseUrlOf: vendorRules.baseUrlOf,
  dialectsOf: (type) => vendorRules.types.get(type)?.dialects ?? [],
  defaultTimeouts,
  defaultLimits,
}

const maxTestMs = 10_000

export interface Directories extends ModelDirectories {
  /** For the management API. */
  providers: LiveProviders
  catalogue: CatalogueReader
  /** Returns the states of the credentials of every provider of a tenant. */
  credentialsOf(tenantId: string): Promise<ReportedCredential[]>
  close(): Promise<void>
}

/**
 * Opens the models that each tenant can call: those of the configuration's providers and of its own, at the prices of the catalogue or
 * its own. Every replica loads them again when a row changes.
 */
export function createModelDirectories(options: ModelDirectoriesOptions): Directories {
  const { live, db, changes, secrets, now, onFault, warn } = options
  const config = live.current()
  const isTrial = !config.strictness.strict
  const configured = createConfiguredModels({ config, isTrial, outbound: options.outbound, onFault, warn })
  const { mockProviders } = configured
  const tenantProviders = createTenantProviders(options)
  const models = createTenantModels({
    ...{ db, changes, secrets, now, providerTypes, mockProviders, tenantProviders },
    configured: configured.current,
  })
  live.add({
    prepare(next) {
      const change = configured.prepare(next)
      return (
        change &&
        (() => {
          change()
          models.forgetAll()
        })
      )
    },
  })

  return {
    for: async (tenantId) => (await models.current(tenantId)).directory,
    providers: {
      forget: models.forget,
      isReserved: (name) => name === mockSettings.name,
      configuredFor: async (tenantId) => [
        ...(await models.current(tenantId)).configured,
        ...(isTrial ? [{ ...mockSettings, timeouts: defaultTimeouts, limits: defaultLimits }] : []),
      ],
      async credentialsOf(tenantId) {
        const { live } = await models.current(tenantId)
        return new Map<string, CredentialState>(
          live.flatMap((provider) => provider.credentials()).map((state) => [state.id, state]),
        )
      },
      async test(tenantId, providerId) {
        const { live, own } = await models.current(tenantId)
        const inUse = live.find(({ id }) => id === providerId)
        if (inUse) return await checkWithTimeout(inUse)
        const stored = own.find(({ id }) => id === providerId)
        if (stored === undefined) return undefined
        if ('fault' in stored.opened) return { ok: false, latencyMs: 0, error: stored.opened.fault }
        const once = tenantProviders.createOnce(stored.opened)
        return await checkWithTimeout(once).finally(() => once.transport.retire())
      },
    },
    credentialsOf: async (tenantId) => describeCredentials(await models.current(tenantId)),
    catalogue: {
      forget: models.forget,
      async models(tenantId) {
        const { directory, live, prices } = await models.current(tenantId)
        return presentCatalogue(directory, live, prices)
      },
      async providers(tenantId) {
        const { live, own } = await models.current(tenantId)
        return [...live.map(({ name }) => name), ...own.map(({ name }) => name)]
      },
    },
    async close() {
      await configured.close()
      await tenantProviders.close()
    },
  }
}

async function checkWithTimeout(provider: Provider): Promise<ProviderTest> {
  const timedOut = { ok: false, latencyMs: maxTestMs, error: `No answer within ${maxTestMs / 1_000} s` }
  const timer = new AbortController()
  const deadline = setTimeout(maxTestMs, timedOut, { signal: timer.signal, ref: false })
  // The deadline is rejected when the check is faster.
  deadline.catch(() => undefined)
  return await Promise.race([provider.check(), deadline]).finally(() => timer.abort())
}

function describeCredentials({ live, own }: TenantModels): ReportedCredential[] {
  const called = live.flatMap((provider) =>
    provider.credentials().map(({ id, status, lastError }): ReportedCredential => {
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
    undecryptable.map((credentialId): ReportedCredential => {
      const message = `A credential of provider ${providerName} cannot be decrypted`
      return { providerId, providerName, credentialId, state: 'undecryptable', message, at: null }
    }),
  )
  return [...called, ...lost]
}
