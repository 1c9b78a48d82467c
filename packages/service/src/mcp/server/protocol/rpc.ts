import type { JsonObject } from '@tallystick/record/json'
import { toApiError } from '../../../http/index.js'
import type { ApiError } from '../../../shared/errors.js'

/** The error codes of JSON-RPC and of MCP. */
export const codes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  /** An error of this service. `data` holds its type. */
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

/** An error in the form of the protocol. */
export class RpcFault extends Error {
  constructor(
    readonly error: RpcError,
    /** The HTTP status, when this is the only response. */
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

/** Returns the error for an unknown method. Only callers of 2026-07-28 receive the status 404 with it. */
export const methodNotFound = (isModern: boolean): RpcFault =>
  new RpcFault({ code: codes.methodNotFound, message: 'Method not found' }, isModern ? 404 : 200)

/** Returns a thrown error as JSON. */
export function errorJsonOf(error: unknown): string {
  return JSON.stringify(error instanceof RpcFault ? error.error : toRpcError(toApiError(error)))
}

/** Converts an error of this service into a JSON-RPC error. `data` holds its type and details. */
function toRpcError(error: ApiError): RpcError {
  return { code: codeOf(error), message: error.message, data: error.toBody().error }
}

function codeOf({ type }: ApiError): number {
  if (type === 'invalid_request' || type === 'not_found') return codes.invalidParams
  return type === 'internal_error' ? codes.internalError : codes.refused
}

/** Returns the answer to an HTTP request that is refused as a whole. The id is `null` when it is not known. */
export function refusalBody(error: unknown, id: string): { status: number; json: string } {
  if (error instanceof RpcFault) return { status: error.status, json: errorText(id, errorJsonOf(error)) }
  const known = toApiError(error)
  const code = known.type === 'invalid_request' ? codeOfUnreadable(known) : codes.refused
  const json = JSON.stringify({ ...toRpcError(known), code })
  return { status: known.status, json: errorText(id, json) }
}

const codeOfUnreadable = ({ message }: ApiError): number =>
  message.startsWith('Malformed JSON') ? codes.parseError : codes.invalidRequest

/** Writes a response. The id is JSON as the caller wrote it. */
export const resultText = (id: string, resultJson: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":${resultJson}}`
export const errorText = (id: string, errorJson: string): string =>
  `{"jsonrpc":"2.0","id":${id},"error":${errorJson}}`
export const requestText = (id: string, method: string, paramsJson: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":${JSON.stringify(method)},"params":${paramsJson}}`
export const notificationText = (method: string, paramsJson: string | null): string =>
  `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${paramsJson === null ? '' : `,"params":${paramsJson}`}}`
