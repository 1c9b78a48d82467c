import type { DialectName } from './dialects/index.js'
import { createHttpTransport, type UpstreamTimeouts } from './http-transport.js'
import type { Provider, UpstreamRequest } from './transport.js'

export interface HttpProviderSettings {
  name: string
  type: 'openai' | 'anthropic'
  baseUrl: string
  apiKey: string | null
  dialects: readonly DialectName[]
  pricesOf: string
  timeouts: UpstreamTimeouts
}

// Both vendors' APIs live below /v1; OpenAI's clients put it into the base URL, Anthropic's do not. Take either.
const paths: Record<DialectName, string> = {
  chat: '/chat/completions',
  responses: '/responses',
  embeddings: '/embeddings',
  messages: '/messages',
}

const authorizationByType: Record<
  HttpProviderSettings['type'],
  (request: UpstreamRequest, apiKey: string) => Record<string, string>
> = {
  openai: (_, apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  anthropic: ({ dialect }, apiKey) =>
    dialect === 'messages' ? { 'x-api-key': apiKey } : { authorization: `Bearer ${apiKey}` },
}

/** A provider that speaks HTTP: OpenAI, Anthropic, or anything compatible with either. */
export function createHttpProvider(config: HttpProviderSettings): Provider {
  const base = new URL(config.baseUrl)
  const root = base.pathname.replace(/\/$/, '')
  const prefix = config.type === 'anthropic' && !root.endsWith('/v1') ? `${root}/v1` : root
  const { apiKey } = config
  return {
    name: config.name,
    dialects: config.dialects,
    pricesOf: config.pricesOf,
    transport: createHttpTransport({
      provider: config.name,
      origin: base.origin,
      timeouts: config.timeouts,
      pathFor: ({ dialect }) => prefix + paths[dialect],
      headersFor: (request) => ({
        ...(request.dialect === 'messages' && { 'anthropic-version': '2023-06-01' }),
        ...request.headers,
        ...(apiKey !== null && authorizationByType[config.type](request, apiKey)),
      }),
    }),
  }
}
