import { EndpointShape, parts, setting, settings, text } from '../../shapes/index.js'

export const rerankShape = new EndpointShape({
  request: {
    query: text,
    documents: { ...parts({ text }), isReadSeparately: true },
    model: setting,
    top_n: setting,
    max_tokens_per_doc: setting,
    return_documents: setting,
    rank_fields: settings,
  },
  output: 'none',
  isUnframed: true,
  hasNoToolsOrReferences: true,
  isCacheable: true,
  price: { modes: ['rerank'], unit: 'search' },
})
