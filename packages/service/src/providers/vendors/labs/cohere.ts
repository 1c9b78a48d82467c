import { compatible, removeUnsupportedMembers } from '../compatible.js'
import type { Vendor } from '../vendor.js'

/** Cohere: its compatibility endpoint, and rerank at its own. */
export const cohere: Vendor = {
  ...compatible,
  type: 'cohere',
  environmentPrefix: 'COHERE',
  baseUrl: 'https://api.cohere.ai/compatibility/v1',
  pricesOf: 'cohere',
  dialects: ['chat', 'embeddings', 'rerank'],
  pathOf: ({ dialect }, { root }) =>
    dialect.name === 'rerank' ? `${hostRoot(root)}/v2/rerank` : root + dialect.path,
  probe: ({ root }) => ({ method: 'GET', path: `${hostRoot(root)}/v1/models` }),
  adaptBody: removeUnsupportedMembers,
}

/** Returns the root of its own API, next to the compatible one. */
const hostRoot = (root: string): string => root.replace(/\/compatibility\/v1$/, '')
