import { compatible } from '../compatible.js'
import type { Vendor } from '../vendor.js'

export const ollama: Vendor = {
  ...compatible,
  type: 'ollama',
  environmentPrefix: null,
  baseUrl: 'http://127.0.0.1:11434/v1',
  dialects: ['chat', 'responses', 'embeddings', 'messages', 'completions'],
}
