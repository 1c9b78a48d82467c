import type { IncomingHttpHeaders } from 'node:http'
import { asObject, isObject } from '@tallystick/record/json'
import type { RawMessage } from './message.js'
import { codes, RpcFault } from './rpc.js'
import { checkStandardHeaders } from './standard-headers.js'

export const modernVersion = '2026-07-28'

/** Which protocol a body speaks, and what it contains. */
export type Classified =
  | { era: 'modern'; kind: 'request' | 'notification' }
  | { era: 'older'; kind: 'request' | 'notification' | 'reply' | 'batch' }

const olderKinds = {
  'http-method': 'request',
  initialize: 'request',
  'no-claim': 'request',
  notification: 'notification',
  response: 'reply',
  batch: 'batch',
} as const

/** Classifies a body by the rules of the official package. Throws when the body is invalid. */
export async function classify(
  value: unknown,
  messages: readonly RawMessage[],
  headers: IncomingHttpHeaders,
): Promise<Classified> {
  const { classifyInboundRequest } = await loadPackage()
  const [version, method, name] = [
    textOf(headers['mcp-protocol-version']),
    textOf(headers['mcp-method']),
    textOf(headers['mcp-name']),
  ]
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    body: Array.isArray(value) ? messages.map(({ value: each }) => outlineOf(each)) : outlineOf(value),
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
  })
  if (outcome.kind === 'reject') {
    const { code, message, data, httpStatus } = outcome
    throw new RpcFault({ code, message, ...(data !== undefined && { data }) }, httpStatus)
  }
  if (outcome.kind === 'legacy') return { era: 'older', kind: olderKinds[outcome.reason] }
  const { revision } = outcome.classification
  if (revision !== modernVersion) throw unsupportedVersion(revision)
  if (outcome.messageKind === 'request')
    checkStandardHeaders({ version, method, name }, asObject(value), revision)
  return { era: 'modern', kind: outcome.messageKind }
}

const unsupportedVersion = (requested = 'unknown') =>
  new RpcFault(
    {
      code: codes.unsupportedVersion,
      message: `Unsupported protocol version: ${requested}`,
      data: { supported: [modernVersion], requested },
    },
    400,
  )

/** Loads the official package on first use, because that takes a fifth of a second. */
function loadPackage(): Promise<typeof import('@modelcontextprotocol/server')> {
  return import('@modelcontextprotocol/server')
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(', ') : header

/** Returns only what the classification reads, because arguments and results may be long and schemas would copy them. */
function outlineOf(message: unknown): unknown {
  if (!isObject(message)) return message
  const { params, result, error } = message
  return {
    ...message,
    ...(isObject(params) && { params: pick(params, ['_meta', 'name', 'uri', 'protocolVersion']) }),
    ...(isObject(result) && { result: {} }),
    ...(isObject(error) && { error: pick(error, ['code', 'message']) }),
  }
}

const pick = (object: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(object, name) ? [[name, object[name]]] : [])))
