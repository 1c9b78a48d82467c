import { ApiError } from '../../shared/errors.js'

const invalidParams = -32_602
const refused = -32_000

/** Returns the error for a target that does not exist or that the caller may not use. */
export const unknownTool = (what: string): ApiError => new ApiError('not_found', what)

/** Writes an error of this service as a JSON-RPC error. `data` holds its type and details. */
export function toRpcError(error: ApiError): string {
  const code = error.type === 'not_found' || error.type === 'invalid_request' ? invalidParams : refused
  return JSON.stringify({ code, message: error.message, data: error.toBody().error })
}
