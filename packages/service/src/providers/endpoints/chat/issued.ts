import { asObject } from '@tallystick/record/json'

/**
 * Returns the id of audio in a message or a piece of one: a later message can refer to it instead of repeating it.
 */
export const audioIdIn = (message: unknown): unknown => asObject(asObject(message).audio).id
