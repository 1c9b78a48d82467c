import { compatible } from '../compatible.js'
import type { Vendor } from '../vendor.js'

export const fireworks: Vendor = {
  ...compatible,
  type: 'fireworks',
  environmentPrefix: 'FIREWORKS',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  dialects: ['chat', 'responses', 'embeddings', 'messages', 'completions', 'rerank'],
}
