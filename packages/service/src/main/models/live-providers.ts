import { createHash } from 'node:crypto'
import type { Outbound } from '../../outbound/index.js'
import {
  type CredentialFault,
  createHttpProvider,
  type HttpProviderParts,
  type Provider,
} from '../../providers/index.js'
import type { OpenedProvider } from '../../resources/providers/index.js'

/** A credential that a provider rejects. `tenantId` is null for a provider of the configuration. */
export interface ProviderFault extends CredentialFault {
  tenantId: string | null
  providerId: string
  providerName: string
}

export interface LiveProvidersOptions {
  outbound: Pick<Outbound, 'createAgent'>
  onFault(fault: ProviderFault): void
}

interface Live {
  tenantId: string
  fingerprint: string
  provider: Provider
}

/** The providers of tenants that calls use: one object for each, as long as its settings stay the same. */
export interface TenantProviders {
  /** Replaces the providers that changed and retires those that were deleted. Their calls in progress end normally. */
  update(tenantId: string, wanted: readonly OpenedProvider[]): Provider[]
  /** Creates a provider for a single check, when it is not in use. */
  createOnce(settings: OpenedProvider): Provider
  close(): Promise<void>
}

export function createTenantProviders({ outbound, onFault }: LiveProvidersOptions): TenantProviders {
  /** Providers by id. */
  // Bounded: providers of tenants, one per row; replaced ones are retired.
  const live = new Map<string, Live>()

  const createAgent: NonNullable<HttpProviderParts['createAgent']> = (options) =>
    outbound.createAgent({ ...options, isVetted: true })

  /** Connects by the rules for addresses that a tenant chose. Credentials that did not change keep their states. */
  function create(tenantId: string, settings: OpenedProvider, before: Live | undefined): Provider {
    return createHttpProvider(settings, {
      createAgent,
      ...(before && { known: before.provider.credentials() }),
      onCredentialFault: (fault) =>
        onFault({ ...fault, tenantId, providerId: settings.id, providerName: settings.name }),
    })
  }

  return {
    update(tenantId, wanted) {
      const ids = new Set(wanted.map(({ id }) => id))
      for (const [id, { provider, ...each }] of live) {
        if (each.tenantId !== tenantId || ids.has(id)) continue
        live.delete(id)
        provider.transport.retire()
      }
      return wanted.map((settings) => {
        const before = live.get(settings.id)
        const fingerprint = createHash('sha256').update(JSON.stringify(settings)).digest('hex')
        if (before?.fingerprint === fingerprint) return before.provider
        const provider = create(tenantId, settings, before)
        live.set(settings.id, { tenantId, fingerprint, provider })
        before?.provider.transport.retire()
        return provider
      })
    },
    createOnce: (settings) => createHttpProvider(settings, { createAgent }),
    async close() {
      await Promise.all([...live.values()].map(({ provider }) => provider.transport.close()))
    },
  }
}
