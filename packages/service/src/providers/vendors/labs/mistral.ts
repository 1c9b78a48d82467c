import { compatible, removeUnsupportedMembers } from '../compatible.js'
import type { Vendor } from '../vendor.js'

export const mistral: Vendor = {
  ...compatible,
  type: 'mistral',
  environmentPrefix: 'MISTRAL',
  baseUrl: 'https://api.mistral.ai/v1',
  pricesOf: 'mistral',
  dialects: ['chat', 'embeddings', 'moderations'],
  adaptBody: removeUnsupportedMembers,
  smallModel: 'mistral-small-latest',
}
