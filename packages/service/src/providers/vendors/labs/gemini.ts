import { compatible } from '../compatible.js'
import type { Vendor } from '../vendor.js'

export const gemini: Vendor = {
  ...compatible,
  type: 'gemini',
  environmentPrefix: 'GEMINI',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
  pricesOf: 'google',
  dialects: ['chat', 'embeddings', 'image_generations'],
  outputField: 'max_completion_tokens',
  smallModel: 'gemini-2.5-flash-lite',
}
