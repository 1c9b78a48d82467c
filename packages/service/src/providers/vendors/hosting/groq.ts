import { compatible } from '../compatible.js'
import type { Vendor } from '../vendor.js'

export const groq: Vendor = {
  ...compatible,
  type: 'groq',
  environmentPrefix: 'GROQ',
  baseUrl: 'https://api.groq.com/openai/v1',
  pricesOf: 'groq',
  dialects: ['chat', 'responses', 'speech', 'transcriptions', 'translations'],
  // Its documentation calls max_tokens deprecated; it honours both.
  outputField: 'max_completion_tokens',
  batchPaths: ({ root }) => ({ files: `${root}/files`, batches: `${root}/batches` }),
}
