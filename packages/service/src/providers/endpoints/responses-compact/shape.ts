import { EndpointShape } from '../../shapes/index.js'
import { responsesShape } from '../responses/shape.js'

const { isCacheable: _, ...description } = responsesShape.description

/** Requests are those of responses, except that no request can limit the length of the answer. */
export const responsesCompactShape = new EndpointShape({ ...description, output: 'unlimited' })
