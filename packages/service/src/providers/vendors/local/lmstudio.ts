import { compatible } from '../compatible.js'
import type { Vendor } from '../vendor.js'

export const lmstudio: Vendor = {
  ...compatible,
  type: 'lmstudio',
  environmentPrefix: null,
  baseUrl: 'http://127.0.0.1:1234/v1',
  dialects: ['chat', 'responses', 'embeddings', 'messages', 'completions'],
}
