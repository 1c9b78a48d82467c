import type { Vendor } from '../vendor.js'

/** OpenAI, and every server that is compatible with it. */
export const openai: Vendor = {
  type: 'openai',
  environmentPrefix: 'OPENAI',
  baseUrl: 'https://api.openai.com/v1',
  dialects: [
    'chat',
    'responses',
    'responses_compact',
    'embeddings',
    'completions',
    'moderations',
    'image_generations',
    'image_edits',
    'image_variations',
    'speech',
    'transcriptions',
    'translations',
    'rerank',
  ],
  pathOf: ({ dialect }, { root }) => root + dialect.path,
  authorize: (_outgoing, credential) => ({ authorization: `Bearer ${credential}` }),
  probe: ({ root }) => ({ method: 'GET', path: `${root}/models` }),
  responseHeaders: /^openai-(?!organization|project)./,
  smallModel: 'gpt-4o-mini',
  batchPaths: ({ root }) => ({ files: `${root}/files`, batches: `${root}/batches` }),
}
