import type { ApiError } from '../../errors.js'
import { toApiError } from '../../http/index.js'
import type { JsonObject } from '../../json/index.js'

/** Codes of JSON-RPC and of the protocol. */
export const codes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  /** Ours: the type in `data` says more. */
  refused: -32_000,
  sessionNotFound: -32_001,
  headerMismatch: -32_020,
  missingCapability: -32_021,
  unsupportedVersion: -32_022,
} as const

interface RpcError {
  code: number
  message: string
  data?: unknown
}

/** What is wrong with a message, in the words of the protocol. */
export class RpcFault extends Error {
  constructor(
    readonly error: RpcError,
    /** Of the HTTP answer, where it is the only one. */
    readonly status = 200,
  ) {
    super(error.message)
    this.name = 'RpcFault'
  }
}

export const invalidParams = (message: string, data?: JsonObject): RpcFault =>
  new RpcFault({ code: codes.invalidParams, message, ...(data !== undefined && { data }) })

export const invalidRequestFault = (message: string): RpcFault =>
  new RpcFault({ code: codes.invalidRequest, message }, 400)

/** Only newer callers learn from the status that there is no such method. */
export const methodNotFound = (isModern: boolean): RpcFault =>
  new RpcFault({ code: codes.methodNotFound, message: 'Method not found' }, isModern ? 404 : 200)

/** The error as JSON, whatever was thrown. */
export function errorJsonOf(error: unknown): string {
  return JSON.stringify(error instanceof RpcFault ? error.error : toRpcError(toApiError(error)))
}

/** An error of ours, with its type and details beside the message. */
function toRpcError(error: ApiError): RpcError {
  return { code: codeOf(error), message: error.message, data: error.toBody().error }
}

function codeOf({ type }: ApiError): number {
  if (type === 'invalid_request' || type === 'not_found') return codes.invalidParams
  return type === 'internal_error' ? codes.internalError : codes.refused
}

/** What is refused as a whole: the status says what it is. The id is null where none is known. */
export function refusalBody(error: unknown, id: string): { status: number; json: string } {
  if (error instanceof RpcFault) return { status: error.status, json: errorText(id, errorJsonOf(error)) }
  const known = toApiError(error)
  const code = known.type === 'invalid_request' ? codeOfUnreadable(known) : codes.refused
  const json = JSON.stringify({ ...toRpcError(known), code })
  return { status: known.status, json: errorText(id, json) }
}

const codeOfUnreadable = ({ message }: ApiError): number =>
  message.startsWith('Malformed JSON') ? codes.parseError : codes.invalidRequest

/** The id is JSON, as the caller wrote it. */
export const resultText = (id: string, resultJson: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":${resultJson}}`
export const errorText = (id: string, errorJson: string): string =>
  `{"jsonrpc":"2.0","id":${id},"error":${errorJson}}`
export const requestText = (id: string, method: string, paramsJson: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":${JSON.stringify(method)},"params":${paramsJson}}`
export const notificationText = (method: string, paramsJson: string | null): string =>
  `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${paramsJson === null ? '' : `,"params":${paramsJson}`}}`
