import { EndpointShape, parts, setting, text, word } from '../../shapes/index.js'

/** Free at OpenAI. A model with a price is billed by its input. */
export const moderationsShape = new EndpointShape({
  request: {
    model: setting,
    input: { ...parts({ type: word, text }), isConversation: true, isReadSeparately: true },
  },
  parts: { image_url: { kind: 'image', in: 'image_url', url: 'url' } },
  output: 'none',
  hasNoToolsOrReferences: true,
  isCacheable: true,
  price: { modes: ['moderation', 'chat', 'responses'] },
})
