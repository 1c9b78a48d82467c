import { compatible } from '../compatible.js'
import type { Vendor } from '../vendor.js'

export const openrouter: Vendor = {
  ...compatible,
  type: 'openrouter',
  environmentPrefix: 'OPENROUTER',
  baseUrl: 'https://openrouter.ai/api/v1',
  dialects: ['chat', 'responses', 'embeddings', 'messages', 'completions'],
  // Its model list is public; this path requires the key.
  probe: ({ root }) => ({ method: 'GET', path: `${root}/key` }),
  // 402 means that the credit of the key is spent. 403 means that the input was flagged, which is not the key's fault.
  rejectionStatuses: [401, 402],
}
