import { compatible } from './compatible.js'
import type { Vendor } from './vendor.js'

export const xai: Vendor = {
  ...compatible,
  type: 'xai',
  environmentPrefix: 'XAI',
  baseUrl: 'https://api.x.ai/v1',
  pricesOf: 'xai',
  dialects: ['chat', 'responses', 'image_generations'],
  // It calls max_tokens deprecated, and honours both.
  outputField: 'max_completion_tokens',
}
