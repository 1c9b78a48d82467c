import { asObject } from '../../../json/index.js'

/** The id of what the model said as audio, in a message or a piece of one: a later message can name it instead of repeating it. */
export const audioIdIn = (message: unknown): unknown => asObject(asObject(message).audio).id
