import {
  type JsonBounds,
  JsonError,
  type ReadJson,
  readJson as read,
  type YieldToEventLoop,
} from '@tallystick/record/json'
import { invalidField, invalidRequest } from './errors.js'

/** Reads JSON that a caller or a server sent. Throws an invalid request with the path of the fault. */
export async function readJson(
  json: Buffer,
  bounds: JsonBounds,
  yieldToEventLoop: YieldToEventLoop,
  charge?: (bytes: number) => void,
): Promise<ReadJson> {
  try {
    return await read(json, bounds, yieldToEventLoop, charge)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw error.path === null ? invalidRequest(error.message) : invalidField(error.path, error.message)
  }
}
