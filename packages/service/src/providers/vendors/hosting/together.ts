import { compatible } from '../compatible.js'
import type { Vendor } from '../vendor.js'

export const together: Vendor = {
  ...compatible,
  type: 'together',
  environmentPrefix: 'TOGETHER',
  baseUrl: 'https://api.together.xyz/v1',
  dialects: [
    'chat',
    'embeddings',
    'completions',
    'image_generations',
    'speech',
    'transcriptions',
    'translations',
    'rerank',
  ],
}
