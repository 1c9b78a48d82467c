import { asObject, asText, type JsonObject } from '../../json/index.js'
import { codes, RpcFault } from './rpc.js'

/** What `Mcp-Name` says again of the params, by method. */
const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}
const encodedForm = /^=\?base64\?(.*)\?=$/s

/**
 * The headers that a request of 2026-07-28 must have, so that whoever stands between can act on them: what they say must be what the
 * body says. The official package holds the same rules, and does not export them.
 */
export function checkStandardHeaders(
  headers: { version: string | undefined; method: string | undefined; name: string | undefined },
  message: JsonObject,
  revision: string,
): void {
  const method = asText(message.method)
  if (headers.version === undefined)
    throw mismatch(
      '(missing)',
      `the body names protocol version ${revision} but the required MCP-Protocol-Version header is absent`,
    )
  if (headers.method === undefined)
    throw mismatch(
      '(missing)',
      `the body names method ${method} but the required Mcp-Method header is absent`,
    )
  const field = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined
  if (field === undefined) return
  const said = asObject(message.params)[field]
  const bodyValue = typeof said === 'string' ? said : undefined
  if (headers.name === undefined) {
    if (bodyValue === undefined) return
    throw mismatch('(missing)', `the body has params.${field} but the required Mcp-Name header is absent`)
  }
  const header = headers.name.trim()
  const decoded = decodeValue(header)
  if (decoded === null) throw mismatch(header, 'the Mcp-Name header has no valid Base64')
  if (bodyValue !== undefined && decoded !== bodyValue)
    throw mismatch(header, `params.${field} is not what the Mcp-Name header says`)
}

/** A header that repeats an argument; `wanted` as a client would send it. */
export function checkRepeated(name: string, given: string | string[] | undefined, wanted: string): void {
  if (given === undefined) throw mismatch('(missing)', `the required ${name} header is absent`)
  const header = String(given).trim()
  const decoded = decodeValue(header)
  if (decoded === null) throw mismatch(header, `the ${name} header has no valid Base64`)
  const said = decodeValue(wanted) ?? wanted
  const isSameNumber = decimal.test(decoded) && decimal.test(said) && Number(decoded) === Number(said)
  if (decoded !== said && !isSameNumber)
    throw mismatch(header, `the argument is not what the ${name} header says`)
}

const decimal = /^-?\d{1,20}(\.\d{1,20})?$/

/** Null for Base64 that is none. */
function decodeValue(header: string): string | null {
  const encoded = encodedForm.exec(header)?.[1]
  if (encoded === undefined) return header
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.toString('base64') !== encoded) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

const mismatch = (header: string, body: string) =>
  new RpcFault(
    {
      code: codes.headerMismatch,
      message: `Bad Request: the request headers and body disagree: ${body}`,
      data: { mismatch: { header, body } },
    },
    400,
  )
