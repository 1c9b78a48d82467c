import type { Price } from '../../pricing/index.js'
import { type Dialect, dialects } from '../../providers/index.js'

/** The endpoints that a batch may name. */
const batched = [
  dialects.chat,
  dialects.responses,
  dialects.embeddings,
  dialects.completions,
  dialects.moderations,
]

const byEndpoint = new Map<string, Dialect>(batched.map((dialect) => [`/v1${dialect.path}`, dialect]))

export const batchEndpoints: readonly string[] = [...byEndpoint.keys()]

export const findBatchDialect = (endpoint: string): Dialect | undefined => byEndpoint.get(endpoint)

const batchTier = 'batch'

/** The tier of a batch, where the price has one; else the standard rates, which are never below it. */
export const batchTierOf = ({ tiers = {} }: Price): string | null =>
  Object.hasOwn(tiers, batchTier) ? batchTier : null

/** The same dialect for lines of a batch: whatever a line asks for, and whatever the provider says, it is served at the tier of batches. */
export function atTier(dialect: Dialect, tier: string | null): Dialect {
  return {
    ...dialect,
    tiersOf: () => [tier],
    usageOf(content, body) {
      const usage = dialect.usageOf(content, body)
      return usage && { ...usage, tier }
    },
  }
}
