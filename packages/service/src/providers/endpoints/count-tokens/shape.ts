import { EndpointShape } from '../../shapes/index.js'
import { messagesShape } from '../messages/shape.js'

const { price, isCacheable: _, ...description } = messagesShape.description

export const countTokensShape = new EndpointShape({
  ...description,
  output: 'none',
  price: { modes: price.modes, isFree: true },
})
