import type { ProviderFileConfig } from './schema.js'

/** How long each kind of silence may last before a call is given up. */
export interface Timeouts {
  connectMs: number
  firstByteMs: number
  idleMs: number
  totalMs: number
  /** After its caller is gone, how long a stream is read on for its usage. */
  hangUpGraceMs: number
}

export interface ProviderConfig {
  name: string
  type: string
  baseUrl: string
  apiKey: string | null
  dialects: readonly string[]
  pricesOf: string
  timeouts: Timeouts
}

// A reasoning model may think for minutes before its first byte: what official clients wait by default (10 min).
const defaultTimeouts: Timeouts = {
  connectMs: 5_000,
  firstByteMs: 600_000,
  idleMs: 120_000,
  totalMs: 3_600_000,
  hangUpGraceMs: 5_000,
}

/** What is known of a type of provider. */
export interface ProviderType {
  /** `<PREFIX>_API_KEY` and `<PREFIX>_BASE_URL` configure a provider of this type without a file. */
  environmentPrefix: string
  baseUrl: string
  dialects: readonly string[]
}

/** Given by the composition root: this room knows neither vendors nor dialects. */
export interface KnownProviders {
  types: ReadonlyMap<string, ProviderType>
  dialects: readonly string[]
}

/** Providers of the file, and those that the well-known variables name; the file wins. */
export function readProviders(
  fromFile: Record<string, ProviderFileConfig>,
  { types, dialects }: KnownProviders,
  read: (name: string) => string | null,
  faults: string[],
): ProviderConfig[] {
  const all: Record<string, ProviderFileConfig> = {}
  for (const [type, { environmentPrefix }] of types) {
    const apiKey = read(`${environmentPrefix}_API_KEY`)
    const baseUrl = read(`${environmentPrefix}_BASE_URL`)
    if (apiKey ?? baseUrl)
      all[type] = { type, ...(apiKey ? { apiKey } : {}), ...(baseUrl ? { baseUrl } : {}) }
  }
  Object.assign(all, fromFile)
  return Object.entries(all).flatMap(([name, provider]) => {
    const type = types.get(provider.type)
    if (!type) {
      faults.push(`providers.${name}.type: must be one of ${[...types.keys()].join(', ')}`)
      return []
    }
    for (const [index, dialect] of (provider.dialects ?? []).entries()) {
      if (!dialects.includes(dialect))
        faults.push(`providers.${name}.dialects.${index}: must be one of ${dialects.join(', ')}`)
    }
    const place = fromFile[name] ? `providers.${name}.baseUrl` : `${type.environmentPrefix}_BASE_URL`
    const baseUrl = readBaseUrl(provider.baseUrl ?? type.baseUrl, place, faults)
    return {
      name,
      type: provider.type,
      baseUrl,
      apiKey: provider.apiKey || null,
      dialects: provider.dialects ?? type.dialects,
      pricesOf: provider.pricesOf ?? name,
      timeouts: { ...defaultTimeouts, ...provider.timeouts },
    }
  })
}

/** Without slashes at the end of its path. A query stays: it goes with every call. */
function readBaseUrl(text: string, place: string, faults: string[]): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    faults.push(`${place}: must be an http or https URL`)
    return text
  }
  if (url.username !== '' || url.password !== '')
    faults.push(`${place}: must not carry a user name or a password; give the key as apiKey`)
  if (url.hash !== '') faults.push(`${place}: must not have a fragment (#…), which is never sent`)
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}${url.search}`
}
