import { EndpointShape, endpoints } from '../../../packages/service/src/providers/index.js'

/** Of an endpoint that describes nothing. */
const unknown = new EndpointShape({ request: {}, output: 'limited', price: { modes: [] } })

/** The description of an endpoint's bodies by its name; one that describes nothing where there is none of that name. */
export const shapeOf = (name: string): EndpointShape =>
  Object.values(endpoints).find((each) => each.name === name)?.shape ?? unknown
