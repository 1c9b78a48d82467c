import type { Price } from '@tallystick/record/pricing'
import { type Endpoint, endpoints } from '../../providers/index.js'

/** The endpoints that batches support. */
const batched = [
  endpoints.chat,
  endpoints.responses,
  endpoints.embeddings,
  endpoints.completions,
  endpoints.moderations,
]

const byUrl = new Map<string, Endpoint>(batched.map((endpoint) => [`/v1${endpoint.path}`, endpoint]))

export const batchUrls: readonly string[] = [...byUrl.keys()]

export const findBatchEndpoint = (url: string): Endpoint | undefined => byUrl.get(url)

const batchTier = 'batch'

/** Returns the batch tier if the price has one. Otherwise null, for the standard rates, which are never lower. */
export const findBatchTier = ({ tiers = {} }: Price): string | null =>
  Object.hasOwn(tiers, batchTier) ? batchTier : null

/** Returns the endpoint for lines of a batch, which are priced at this tier whatever the line requests and the provider reports. */
export function atTier(endpoint: Endpoint, tier: string | null): Endpoint {
  return {
    ...endpoint,
    tiersOf: () => [tier],
    usageOf(content, body) {
      const usage = endpoint.usageOf(content, body)
      return usage && { ...usage, tier }
    },
  }
}
