import { readFileSync } from 'node:fs'
import { errorCode } from '../../../shared/error-code.js'
import type { ProviderFileConfig } from '../../file/schema.js'
import { type AnswerLimits, defaultLimits, defaultTimeouts, type Timeouts } from './provider-defaults.js'

export interface CredentialConfig {
  id: string
  name: string
  value: string
  weight: number
}

export interface ProviderConfig {
  id: string
  name: string
  type: string
  baseUrl: string
  credentials: CredentialConfig[]
  headers: Readonly<Record<string, string>>
  auth: 'own' | 'caller'
  references: 'issued' | 'any'
  options: Readonly<Record<string, string>>
  /** The names of the tenants that may use the provider. Null for all. */
  tenants: readonly string[] | null
  dialects: readonly string[]
  pricesOf: string
  timeouts: Timeouts
  limits: AnswerLimits
}

/** The properties of a type of provider. */
export interface ProviderType {
  /** `<PREFIX>_API_KEY` and `<PREFIX>_BASE_URL` configure a provider of this type without a file. Null when no variable does. */
  environmentPrefix: string | null
  dialects: readonly string[]
  /** The provider in the catalogue whose list prices apply. Default: the name of the provider. */
  pricesOf?: string
}

/** What configuration needs to know of providers. The composition root passes it, because this module must not import `providers/`. */
export interface KnownProviders {
  types: ReadonlyMap<string, ProviderType>
  faultsIn(
    shape: Pick<ProviderConfig, 'type' | 'headers' | 'auth' | 'options' | 'credentials'> & {
      baseUrl: string | null
      dialects: readonly string[] | null
      mayUseMachine: boolean
    },
  ): { path: string; message: string }[]
  /** Returns the default base URL of a type. Null when it has none. */
  baseUrlOf(type: string, options: Readonly<Record<string, string>>): string | null
  normalizeBaseUrl(url: string): string
}

/**
 * Reads the providers of the file and of the environment. The file takes precedence. `names` includes the names of invalid providers.
 */
export function readProviders(
  fromFile: Record<string, ProviderFileConfig>,
  known: KnownProviders,
  read: (name: string) => string | null,
  faults: string[],
): { providers: ProviderConfig[]; names: string[] } {
  const all = { ...readEnvironment(known, read), ...fromFile }
  const providers = Object.entries(all).flatMap(([name, provider]) => {
    const prefix = fromFile[name] ? null : known.types.get(provider.type)?.environmentPrefix
    const nameOf = (path: string) => {
      if (!prefix) return `providers.${name}.${path}`
      return path === 'baseUrl' ? `${prefix}_BASE_URL` : `${prefix}_API_KEY`
    }
    const report = (path: string, message: string) => faults.push(`${nameOf(path)}: ${message}`)
    return readProvider(name, provider, known, report) ?? []
  })
  return { providers, names: Object.keys(all) }
}

function readEnvironment(
  { types }: KnownProviders,
  read: (name: string) => string | null,
): Record<string, ProviderFileConfig> {
  const found: Record<string, ProviderFileConfig> = {}
  for (const [type, { environmentPrefix }] of types) {
    if (environmentPrefix === null) continue
    const apiKey = read(`${environmentPrefix}_API_KEY`)
    const baseUrl = read(`${environmentPrefix}_BASE_URL`)
    if (apiKey ?? baseUrl)
      found[type] = { type, ...(apiKey ? { apiKey } : {}), ...(baseUrl ? { baseUrl } : {}) }
  }
  return found
}

function readProvider(
  name: string,
  provider: ProviderFileConfig,
  known: KnownProviders,
  report: (path: string, message: string) => void,
): ProviderConfig | null {
  const { type, headers = {}, auth = 'own', options = {} } = provider
  const found = readCredentials(name, provider, report)
  const credentials = found.map(({ credential }) => credential)
  const baseUrl = provider.baseUrl ?? null
  const shape = { type, baseUrl, headers, auth, options, credentials, dialects: provider.dialects ?? null }
  // The operator may use the files and the identity of this machine, unlike a tenant.
  const faults = known.faultsIn({ ...shape, mayUseMachine: true })
  for (const { path, message } of faults) {
    const [, index] = /^credentials\.(\d+)\.value$/.exec(path) ?? []
    report(found[Number(index)]?.path ?? path, message)
  }
  const address = baseUrl ?? known.baseUrlOf(type, options)
  if (faults.length > 0 || address === null) return null
  return {
    id: `prov_config_${name}`,
    name,
    ...{ type, credentials, headers, auth, options, references: provider.references ?? 'issued' },
    baseUrl: known.normalizeBaseUrl(address),
    tenants: provider.tenants ?? null,
    dialects: provider.dialects ?? known.types.get(type)?.dialects ?? [],
    pricesOf: provider.pricesOf ?? known.types.get(type)?.pricesOf ?? name,
    timeouts: { ...defaultTimeouts, ...provider.timeouts },
    limits: { ...defaultLimits, ...provider.limits },
  }
}

/** Reads the credentials of a provider, each with its path in the file. */
function readCredentials(
  provider: string,
  { apiKey, credentials }: ProviderFileConfig,
  report: (path: string, message: string) => void,
): { credential: CredentialConfig; path: string }[] {
  const make = (path: string, name: string, value: string, weight = 1) => ({
    credential: { id: `cred_config_${provider}_${name}`, name, value, weight },
    path,
  })
  if (apiKey !== undefined && credentials !== undefined)
    report('apiKey', 'is one of credentials; give one of the two')
  if (apiKey) return [make('apiKey', 'default', apiKey)]
  const names = new Set<string>()
  return (credentials ?? []).flatMap(({ name, value, file, identity, weight }, index) => {
    const path = `credentials.${index}`
    if (names.has(name)) report(`${path}.name`, 'is the name of another credential')
    names.add(name)
    if ([value, file, identity].filter((each) => each !== undefined).length !== 1) {
      report(path, 'must have one of value, file and identity')
      return []
    }
    if (identity !== undefined)
      return make(`${path}.identity`, name, JSON.stringify({ type: 'machine', ...identity }), weight)
    if (value !== undefined) return make(`${path}.value`, name, value, weight)
    const text = readText(file ?? '', (message) => report(`${path}.file`, message))
    return text === null ? [] : make(`${path}.file`, name, text, weight)
  })
}

function readText(file: string, report: (message: string) => void): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    report(`cannot be read (${errorCode(error)})`)
    return null
  }
}
