import { EndpointShape, setting, text } from '../../shapes/index.js'

/** Numbers at the place of vectors are not judged by policies; everything else is. */
export const embeddingsShape = new EndpointShape({
  request: {
    model: setting,
    input: { ...text, numbers: 'tokens', isConversation: true, isReadApart: true },
    encoding_format: setting,
    dimensions: setting,
    user: setting,
  },
  output: 'none',
  isBare: true,
  namesNothing: true,
  isCacheable: true,
  price: { modes: ['embedding', 'chat', 'responses'] },
})
