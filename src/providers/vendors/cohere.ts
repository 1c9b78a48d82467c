import { compatible, leaveOutUnknown } from './compatible.js'
import type { Vendor } from './vendor.js'

/** Its compatibility endpoint. */
export const cohere: Vendor = {
  ...compatible,
  type: 'cohere',
  environmentPrefix: 'COHERE',
  baseUrl: 'https://api.cohere.ai/compatibility/v1',
  dialects: ['chat', 'embeddings'],
  // Below its own API, not below the compatible one.
  probe: ({ root }) => ({ method: 'GET', path: `${root.replace(/\/compatibility\/v1$/, '')}/v1/models` }),
  adaptBody: leaveOutUnknown,
}
