import { conflict } from '../../shared/errors.js'
import type { ConfiguredProvider, CredentialState, LiveProviders } from './live.js'
import type { ProviderStore } from './manage.js'
import { presentConfigured, presentStored } from './present.js'
import type { Provider } from './schema.js'
import { findProvider, listProviders, type StoredProvider } from './store.js'

/** A provider of the tenant or of the configuration, with its position in the list. */
export interface ListedProvider {
  source: Provider['source']
  /** The sort key of the list: the id of one of the tenant's own, the name of the others. */
  key: string
  present(): Provider | Promise<Provider>
}

type States = ReadonlyMap<string, CredentialState>

/** The providers that a tenant has: its own, and those of the configuration. */
export function createDirectory(store: ProviderStore, live: LiveProviders) {
  const ofTenant = (stored: StoredProvider, states: States): ListedProvider => ({
    source: 'api',
    key: stored.row.id,
    present: () => presentStored(stored, store, states),
  })
  const ofConfiguration = (provider: ConfiguredProvider, states: States): ListedProvider => ({
    source: 'config',
    key: provider.name,
    present: () => presentConfigured(provider, states),
  })

  const findConfigured = async (tenantId: string, id: string) =>
    (await live.configuredFor(tenantId)).find((each) => each.id === id)

  return {
    async listListed(
      tenantId: string,
      { after, limit }: { after: string | null; limit: number },
    ): Promise<ListedProvider[]> {
      const states = await live.credentialsOf(tenantId)
      const own = (await listProviders(store.db, tenantId)).map((stored) => ofTenant(stored, states))
      const configured = (await live.configuredFor(tenantId)).map((each) => ofConfiguration(each, states))
      return [...own, ...configured]
        .sort(compare)
        .filter((each) => after === null || compare(each, readPosition(after)) > 0)
        .slice(0, limit)
    },

    async findListed(tenantId: string, id: string): Promise<ListedProvider | undefined> {
      const states = await live.credentialsOf(tenantId)
      const configured = await findConfigured(tenantId, id)
      if (configured) return ofConfiguration(configured, states)
      const stored = await findProvider(store.db, tenantId, id)
      return stored && ofTenant(stored, states)
    },

    async requireOwn(tenantId: string, id: string): Promise<void> {
      const configured = await findConfigured(tenantId, id)
      if (configured)
        throw conflict(
          `Provider ${configured.name} is part of the configuration of this service: its operator changes it there`,
        )
    },
  }
}

type Position = Pick<ListedProvider, 'source' | 'key'>

/**
 * The tenant's own come first, newest first, because ids grow with time. Those of the configuration follow by name.
 */
function compare(a: Position, b: Position): number {
  if (a.source !== b.source) return a.source === 'api' ? -1 : 1
  const order = a.key < b.key ? -1 : Number(a.key > b.key)
  return a.source === 'api' ? -order : order
}

export const positionOf = ({ source, key }: Position): string => `${source} ${key}`
function readPosition(text: string): Position {
  const [source, key = ''] = text.split(' ')
  return { source: source === 'api' ? 'api' : 'config', key }
}
