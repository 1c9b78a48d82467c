import { ApiError } from '../../errors.js'

const invalidParams = -32_602
const refused = -32_000

/** Whatever a caller may not call does not exist for it. */
export const unknownTool = (what: string): ApiError => new ApiError('not_found', what)

/** An error of ours in the words of the protocol, with its type and details beside the message. */
export function toRpcError(error: ApiError): string {
  const code = error.type === 'not_found' || error.type === 'invalid_request' ? invalidParams : refused
  return JSON.stringify({ code, message: error.message, data: error.toBody().error })
}
