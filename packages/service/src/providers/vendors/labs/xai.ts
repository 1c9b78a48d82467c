import { compatible } from '../compatible.js'
import type { Vendor } from '../vendor.js'

export const xai: Vendor = {
  ...compatible,
  type: 'xai',
  environmentPrefix: 'XAI',
  baseUrl: 'https://api.x.ai/v1',
  pricesOf: 'xai',
  dialects: ['chat', 'responses', 'image_generations'],
  // It calls max_tokens deprecated, and honours both.
  outputField: 'max_completion_tokens',
  // docs.x.ai/docs/models, "Usage Guidelines Violation Fee": a request that is found to violate the guidelines is charged for its
  // generation all the same. Its error has the code of a denied permission, so only its message identifies it.
  billedErrors: [{ status: 403, pattern: /usage guidelines|SAFETY_CHECK_TYPE/i }],
}
