import { type Headers, type Secrets, undecryptable } from '../../secrets/index.js'
import type { ConfiguredProvider, CredentialState, ProviderTypes } from './live.js'
import type { Credential, Provider } from './schema.js'
import { hintOf, openHeaders, openValue } from './secrets.js'
import type { CredentialRow, StoredProvider } from './store.js'

type States = ReadonlyMap<string, CredentialState>
// Bounded: stays empty.
const noStates: States = new Map()

/** Presents a stored provider with its effective settings and without its secrets. */
export async function presentStored(
  { row, credentials }: StoredProvider,
  { secrets, types }: { secrets: Secrets; types: ProviderTypes },
  states: States = noStates,
): Promise<Provider> {
  const headers = await openHeaders(secrets, row)
  const options = stringsOf(row.options)
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    baseUrl: row.base_url ?? types.baseUrlOf(row.type, options) ?? '',
    headers: headers === undecryptable ? [] : presentHeaders(headers),
    dialects: [...(row.dialects ?? types.dialectsOf(row.type))],
    timeouts: { ...types.defaultTimeouts, ...row.timeouts },
    limits: { ...types.defaultLimits, ...row.limits },
    options,
    auth: row.auth === 'caller' ? 'caller' : 'own',
    references: row.accepted_references,
    pricesOf: row.prices_of ?? row.name,
    enabled: row.enabled,
    secretStatus: headers === undecryptable ? undecryptable : 'ok',
    source: 'api',
    credentials: await Promise.all(credentials.map((each) => presentCredential(each, secrets, states))),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export async function presentCredential(
  row: CredentialRow,
  secrets: Secrets,
  states: States = noStates,
): Promise<Credential> {
  const isLost = (await openValue(secrets, row)) === undecryptable
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    weight: row.weight,
    createdAt: row.created_at.toISOString(),
    ...presentState(states.get(row.id)),
    ...(isLost && { status: undecryptable }),
  }
}

export const presentConfigured = (provider: ConfiguredProvider, states: States): Provider => ({
  id: provider.id,
  name: provider.name,
  type: provider.type,
  baseUrl: provider.baseUrl,
  headers: presentHeaders(provider.headers),
  dialects: [...provider.dialects],
  timeouts: provider.timeouts,
  limits: provider.limits,
  options: { ...provider.options },
  auth: provider.auth,
  references: provider.references,
  pricesOf: provider.pricesOf,
  enabled: true,
  secretStatus: 'ok',
  source: 'config',
  credentials: provider.credentials.map(({ id, name, value, weight }) => ({
    ...{ id, name, weight, hint: hintOf(value), createdAt: null },
    ...presentState(states.get(id)),
  })),
  createdAt: null,
  updatedAt: null,
})

const presentHeaders = (headers: Headers) =>
  Object.entries(headers).map(([name, value]) => ({ name, hint: hintOf(value) }))

function presentState(state: CredentialState | undefined): Pick<Credential, 'status' | 'lastError'> {
  if (state === undefined) return { status: 'active', lastError: null }
  const { status, lastError } = state
  return {
    status,
    lastError: lastError && {
      status: lastError.status,
      message: lastError.message,
      at: new Date(lastError.atMs).toISOString(),
    },
  }
}

/** Options are texts; any other value was written by another version. */
export const stringsOf = (options: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
