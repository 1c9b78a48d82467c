import { compatible } from '../compatible.js'
import type { Vendor } from '../vendor.js'

export const vllm: Vendor = {
  ...compatible,
  type: 'vllm',
  environmentPrefix: null,
  baseUrl: 'http://127.0.0.1:8000/v1',
  dialects: [
    'chat',
    'responses',
    'embeddings',
    'messages',
    'completions',
    'transcriptions',
    'translations',
    'rerank',
  ],
}
