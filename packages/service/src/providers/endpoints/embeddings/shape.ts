import { EndpointShape, setting, text } from '../../shapes/index.js'

/** Policies cannot judge input that is sent as token numbers. */
export const embeddingsShape = new EndpointShape({
  request: {
    model: setting,
    input: { ...text, numbers: 'tokens', isConversation: true, isReadSeparately: true },
    encoding_format: setting,
    dimensions: setting,
    user: setting,
  },
  output: 'none',
  isUnframed: true,
  hasNoToolsOrReferences: true,
  isCacheable: true,
  price: { modes: ['embedding', 'chat', 'responses'] },
})
