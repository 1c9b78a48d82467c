import { asObject, asText, type JsonObject } from '@tallystick/record/json'
import { codes, RpcFault } from './rpc.js'

/** The member of the params that `Mcp-Name` repeats, by method. */
const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}
const encodedForm = /^=\?base64\?(.*)\?=$/s

/**
 * Checks the headers that a request of 2026-07-28 must have. Proxies act on them, so they must agree with the body. The official package
 * has the same rules but does not export them.
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
  const member = asObject(message.params)[field]
  const bodyValue = typeof member === 'string' ? member : undefined
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

/** Checks a header that repeats an argument. `wanted` is the value that a client would send. */
export function checkRepeated(name: string, given: string | string[] | undefined, wanted: string): void {
  if (given === undefined) throw mismatch('(missing)', `the required ${name} header is absent`)
  const header = String(given).trim()
  const decoded = decodeValue(header)
  if (decoded === null) throw mismatch(header, `the ${name} header has no valid Base64`)
  const argument = decodeValue(wanted) ?? wanted
  const isSameNumber = decimal.test(decoded) && decimal.test(argument) && Number(decoded) === Number(argument)
  if (decoded !== argument && !isSameNumber)
    throw mismatch(header, `the argument is not what the ${name} header says`)
}

const decimal = /^-?\d{1,20}(\.\d{1,20})?$/

/** Decodes a header value. Null when its Base64 is invalid. */
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
