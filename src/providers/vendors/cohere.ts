import { compatible, leaveOutUnknown } from './compatible.js'
import type { Vendor } from './vendor.js'

/** Its compatibility endpoint, and rankings at its own. */
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
  adaptBody: leaveOutUnknown,
}

/** Of its own API, beside the compatible one. */
const hostRoot = (root: string): string => root.replace(/\/compatibility\/v1$/, '')
