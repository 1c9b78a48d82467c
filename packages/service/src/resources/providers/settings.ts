import type { Db } from '../../db/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import type { AnswerLimits, ProviderTypes, Timeouts } from './live.js'
import { stringsOf } from './present.js'
import { openHeaders, openValue } from './secrets.js'
import { listProviders, type StoredProvider } from './store.js'

/** A tenant's provider with its secrets decrypted, ready to be called. */
export interface OpenedProvider {
  id: string
  name: string
  type: string
  baseUrl: string
  headers: Readonly<Record<string, string>>
  credentials: { id: string; name: string; value: string; weight: number }[]
  auth: 'own' | 'caller'
  references: 'issued' | 'any'
  options: Readonly<Record<string, string>>
  dialects: readonly string[]
  pricesOf: string
  timeouts: Timeouts
  limits: AnswerLimits
}

export interface ProviderOfTenant {
  id: string
  name: string
  enabled: boolean
  /** Or the reason why it cannot be called. */
  opened: OpenedProvider | { fault: string }
  /**
   * Ids of objects that cannot be decrypted now but perhaps later: credentials, or the provider itself for its
   * headers.
   */
  undecryptable: readonly string[]
}

/** All providers that a tenant has configured itself. */
export async function openProviders(
  stored: readonly StoredProvider[],
  secrets: Secrets,
  types: ProviderTypes,
): Promise<ProviderOfTenant[]> {
  return await Promise.all(stored.map((each) => open(each, secrets, types)))
}

async function open(
  { row, credentials }: StoredProvider,
  secrets: Secrets,
  types: ProviderTypes,
): Promise<ProviderOfTenant> {
  const headers = await openHeaders(secrets, row)
  const values = await Promise.all(credentials.map((each) => openValue(secrets, each)))
  const usable = credentials.flatMap(({ id, name, weight }, index) => {
    const value = values[index]
    return value === undefined || value === undecryptable ? [] : [{ id, name, value, weight }]
  })
  const options = stringsOf(row.options)
  const baseUrl = row.base_url ?? types.baseUrlOf(row.type, options)
  const base = {
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    undecryptable: [
      ...(headers === undecryptable ? [row.id] : []),
      ...credentials.flatMap(({ id }, index) => (values[index] === undecryptable ? [id] : [])),
    ],
  }
  if (headers === undecryptable)
    return { ...base, opened: { fault: `the headers of provider ${row.name} cannot be decrypted` } }
  if (credentials.length > 0 && usable.length === 0)
    return { ...base, opened: { fault: `the credentials of provider ${row.name} cannot be decrypted` } }
  if (baseUrl === null)
    return { ...base, opened: { fault: `provider ${row.name} has the unknown type ${row.type}` } }
  return {
    ...base,
    opened: {
      ...{ id: row.id, name: row.name, type: row.type, baseUrl, headers, options },
      credentials: usable,
      auth: row.auth === 'caller' ? 'caller' : 'own',
      references: row.accepted_references,
      dialects: row.dialects ?? types.dialectsOf(row.type),
      pricesOf: row.prices_of ?? row.name,
      timeouts: { ...types.defaultTimeouts, ...row.timeouts },
      limits: { ...types.defaultLimits, ...row.limits },
    },
  }
}

/** Lists the providers with a secret that cannot be decrypted. */
export async function listUndecryptableProviders(db: Db, secrets: Secrets): Promise<string[]> {
  const tenants = await db
    .selectFrom('providers')
    .select('tenant_id')
    .distinct()
    .where('deleted_at', 'is', null)
    .execute()
  const ids: string[] = []
  for (const { tenant_id } of tenants) {
    for (const { row, credentials } of await listProviders(db, tenant_id)) {
      const opened = await Promise.all([
        openHeaders(secrets, row),
        ...credentials.map((each) => openValue(secrets, each)),
      ])
      if (opened.includes(undecryptable)) ids.push(row.id)
    }
  }
  return ids
}
