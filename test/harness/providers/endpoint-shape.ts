import { EndpointShape, endpoints } from '../../../packages/service/src/providers/index.js'

/** The shape of an endpoint that describes nothing. */
const unknown = new EndpointShape({ request: {}, output: 'limited', price: { modes: [] } })

/** Returns the shape of the endpoint with this name, or a shape that describes nothing if there is none. */
export const shapeOf = (name: string): EndpointShape =>
  Object.values(endpoints).find((each) => each.name === name)?.shape ?? unknown
