import { asArray, asObject, type JsonObject } from '@tallystick/record/json'

const preambleTypes = new Set<unknown>([
  'response.created',
  'response.queued',
  'response.in_progress',
  'keepalive',
])

/** True for events that report the start of the answer and repeat the request. */
export const isResponsesPreamble = ({ type, response }: JsonObject): boolean =>
  preambleTypes.has(type) && asArray(asObject(response).output).length === 0
