import { readFileSync } from 'node:fs'
import { errorCode } from '../../shared/error-code.js'
import type { ProviderFileConfig } from '../file/schema.js'

/** How long each kind of silence may last before a call is given up. */
export interface Timeouts {
  connectMs: number
  firstByteMs: number
  idleMs: number
  totalMs: number
  /** After its caller is gone, how long a stream is read on for its usage. */
  hangUpGraceMs: number
}

/** How large an answer may be before it is ended. */
export interface AnswerLimits {
  maxStreamBytes: number
  /** Of one that comes in one piece. */
  maxAnswerBytes: number
}

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
  /** Names of those that may use it; null for all. */
  tenants: readonly string[] | null
  dialects: readonly string[]
  pricesOf: string
  timeouts: Timeouts
  limits: AnswerLimits
}

// A reasoning model may think for minutes before its first byte: what official clients wait by default (10 min).
export const defaultTimeouts: Timeouts = {
  connectMs: 5_000,
  firstByteMs: 600_000,
  idleMs: 120_000,
  totalMs: 3_600_000,
  hangUpGraceMs: 5_000,
}

// Ten answers of the longest kind have as many bytes. A batch of 2,048 embeddings of 3,072 numbers each is about 75 MB.
export const defaultLimits: AnswerLimits = {
  maxStreamBytes: 512 * 1024 * 1024,
  maxAnswerBytes: 128 * 1024 * 1024,
}

/** What is known of a type of provider. */
export interface ProviderType {
  /** `<PREFIX>_API_KEY` and `<PREFIX>_BASE_URL` configure a provider of this type without a file; null: nothing does. */
  environmentPrefix: string | null
  dialects: readonly string[]
  /** Whose list prices apply; the provider's own name when left out. */
  pricesOf?: string
}

/** Given by the composition root: this room knows neither vendors nor dialects. */
export interface KnownProviders {
  types: ReadonlyMap<string, ProviderType>
  faultsIn(
    shape: Pick<ProviderConfig, 'type' | 'headers' | 'auth' | 'options' | 'credentials'> & {
      baseUrl: string | null
      dialects: readonly string[] | null
      mayReadFiles: boolean
    },
  ): { path: string; message: string }[]
  /** Of the type itself; null when it has none. */
  baseUrlOf(type: string, options: Readonly<Record<string, string>>): string | null
  normalizeBaseUrl(url: string): string
}

/** Providers of the file, and those that the well-known variables name; the file wins. With the names of all, faulty ones included. */
export function readProviders(
  fromFile: Record<string, ProviderFileConfig>,
  known: KnownProviders,
  read: (name: string) => string | null,
  faults: string[],
): { providers: ProviderConfig[]; names: string[] } {
  const all = { ...readEnvironment(known, read), ...fromFile }
  const providers = Object.entries(all).flatMap(([name, provider]) => {
    const prefix = fromFile[name] ? null : known.types.get(provider.type)?.environmentPrefix
    const placeOf = (path: string) => {
      if (!prefix) return `providers.${name}.${path}`
      return path === 'baseUrl' ? `${prefix}_BASE_URL` : `${prefix}_API_KEY`
    }
    const tell = (path: string, message: string) => faults.push(`${placeOf(path)}: ${message}`)
    return readProvider(name, provider, known, tell) ?? []
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
  tell: (path: string, message: string) => void,
): ProviderConfig | null {
  const { type, headers = {}, auth = 'own', options = {} } = provider
  const found = readCredentials(name, provider, tell)
  const credentials = found.map(({ credential }) => credential)
  const baseUrl = provider.baseUrl ?? null
  const shape = { type, baseUrl, headers, auth, options, credentials, dialects: provider.dialects ?? null }
  // The operator may name any file of this machine.
  const faults = known.faultsIn({ ...shape, mayReadFiles: true })
  for (const { path, message } of faults) {
    const [, index] = /^credentials\.(\d+)\.value$/.exec(path) ?? []
    tell(found[Number(index)]?.place ?? path, message)
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

/** With the place of each in the file. */
function readCredentials(
  provider: string,
  { apiKey, credentials }: ProviderFileConfig,
  tell: (path: string, message: string) => void,
): { credential: CredentialConfig; place: string }[] {
  const make = (place: string, name: string, value: string, weight = 1) => ({
    credential: { id: `cred_config_${provider}_${name}`, name, value, weight },
    place,
  })
  if (apiKey !== undefined && credentials !== undefined)
    tell('apiKey', 'is one of credentials; give one of the two')
  if (apiKey) return [make('apiKey', 'default', apiKey)]
  const names = new Set<string>()
  return (credentials ?? []).flatMap(({ name, value, file, weight }, index) => {
    const path = `credentials.${index}`
    if (names.has(name)) tell(`${path}.name`, 'is the name of another credential')
    names.add(name)
    if ((value === undefined) === (file === undefined)) {
      tell(path, 'must have either value or file')
      return []
    }
    if (value !== undefined) return make(`${path}.value`, name, value, weight)
    const text = readText(file ?? '', (message) => tell(`${path}.file`, message))
    return text === null ? [] : make(`${path}.file`, name, text, weight)
  })
}

function readText(file: string, tell: (message: string) => void): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    tell(`cannot be read (${errorCode(error)})`)
    return null
  }
}
