import { compatible, leaveOutUnknown } from './compatible.js'
import type { Vendor } from './vendor.js'

/** Its compatibility endpoint. */
export const cohere: Vendor = {
  ...compatible,
  type: 'cohere',
  environmentPrefix: 'COHERE',
  baseUrl: 'https://api.cohere.ai/compatibility/v1',
  dialects: ['chat', 'embeddings'],
  adaptBody: leaveOutUnknown,
}
