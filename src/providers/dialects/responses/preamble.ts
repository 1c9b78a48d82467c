import { asArray, asObject, type JsonObject } from '../../../json/index.js'

const before = new Set<unknown>(['response.created', 'response.queued', 'response.in_progress', 'keepalive'])

/** That the answer was begun, and what was asked for. */
export const isResponsesPreamble = ({ type, response }: JsonObject): boolean =>
  before.has(type) && asArray(asObject(response).output).length === 0
