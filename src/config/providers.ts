import type { ProviderFileConfig } from './schema.js'

export type ProviderType = 'openai' | 'anthropic'
type DialectName = 'chat' | 'responses' | 'embeddings' | 'messages'

/** How long each kind of silence may last before a call is given up. */
export interface Timeouts {
  connectMs: number
  firstByteMs: number
  idleMs: number
  totalMs: number
}

export interface ProviderConfig {
  name: string
  type: ProviderType
  baseUrl: string
  apiKey: string | null
  dialects: DialectName[]
  pricesOf: string
  timeouts: Timeouts
}

// A reasoning model may think for minutes before its first byte: what official clients wait by default (10 min).
const defaultTimeouts: Timeouts = {
  connectMs: 5_000,
  firstByteMs: 600_000,
  idleMs: 120_000,
  totalMs: 3_600_000,
}

const defaultsByType: Record<ProviderType, { baseUrl: string; dialects: DialectName[] }> = {
  openai: { baseUrl: 'https://api.openai.com/v1', dialects: ['chat', 'responses', 'embeddings'] },
  // Anthropic answers the OpenAI chat shape too, at the same host.
  anthropic: { baseUrl: 'https://api.anthropic.com', dialects: ['messages', 'chat'] },
}

/** Providers of the file, and those that the well-known variables name; the file wins. */
export function readProviders(
  fromFile: Record<string, ProviderFileConfig>,
  read: (name: string) => string | null,
  faults: string[],
): ProviderConfig[] {
  const all: Record<string, ProviderFileConfig> = {}
  for (const type of ['openai', 'anthropic'] as const) {
    const prefix = type.toUpperCase()
    const apiKey = read(`${prefix}_API_KEY`)
    const baseUrl = read(`${prefix}_BASE_URL`)
    if (apiKey ?? baseUrl)
      all[type] = { type, ...(apiKey ? { apiKey } : {}), ...(baseUrl ? { baseUrl } : {}) }
  }
  Object.assign(all, fromFile)
  return Object.entries(all).map(([name, provider]) => {
    const defaults = defaultsByType[provider.type]
    const baseUrl = provider.baseUrl ?? defaults.baseUrl
    if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
      const place = fromFile[name] ? `providers.${name}.baseUrl` : `${name.toUpperCase()}_BASE_URL`
      faults.push(`${place}: must be an http or https URL`)
    }
    return {
      name,
      type: provider.type,
      baseUrl: baseUrl.replace(/\/+$/, ''),
      apiKey: provider.apiKey || null,
      dialects: provider.dialects ?? defaults.dialects,
      pricesOf: provider.pricesOf ?? name,
      timeouts: { ...defaultTimeouts, ...provider.timeouts },
    }
  })
}
