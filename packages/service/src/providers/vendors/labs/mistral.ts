import { compatible, leaveOutUnknown } from '../compatible.js'
import type { Vendor } from '../vendor.js'

export const mistral: Vendor = {
  ...compatible,
  type: 'mistral',
  environmentPrefix: 'MISTRAL',
  baseUrl: 'https://api.mistral.ai/v1',
  pricesOf: 'mistral',
  dialects: ['chat', 'embeddings', 'moderations'],
  adaptBody: leaveOutUnknown,
  smallModel: 'mistral-small-latest',
}
