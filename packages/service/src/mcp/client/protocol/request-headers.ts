import { asObject, isObject, type JsonObject } from '@tallystick/record/json'

// Servers of the newer protocol require parts of a request in headers, so that proxies can route without reading bodies (SEP-2243). The
// official package implements this only within its client.

const keyword = 'x-mcp-header'
const headerToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const maxDepth = 32
const maxHeaders = 64
const maxHeaderChars = 4_096

/** The member of the params that the header `Mcp-Name` repeats, by method. */
const nameMembers: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

export function writeStandardHeaders(method: string, params: JsonObject): Record<string, string> {
  const member = Object.hasOwn(nameMembers, method) ? nameMembers[method] : undefined
  const name = member === undefined ? undefined : params[member]
  return {
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': encodeHeaderValue(name) }),
  }
}

/** Returns the headers for arguments that the schema of a tool requires in headers. */
export function writeArgumentHeaders(inputSchema: unknown, args: unknown): Record<string, string> {
  const headers: Record<string, string> = {}
  const visit = (schema: JsonObject, value: unknown, depth: number): void => {
    for (const [name, child] of Object.entries(asObject(schema.properties))) {
      const found = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
      if (!isObject(child) || found === undefined) continue
      const header = child[keyword]
      const text = textOf(found)
      if (typeof header === 'string' && headerToken.test(header) && text !== null)
        if (Object.keys(headers).length < maxHeaders)
          headers[`mcp-param-${header.toLowerCase()}`] = encodeHeaderValue(text)
      if (depth < maxDepth) visit(child, found, depth + 1)
    }
  }
  visit(asObject(inputSchema), args, 0)
  return headers
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.length <= maxHeaderChars ? value : null
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'number') return null
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? null : String(value)
}

/** Encodes a value that is not valid in a header as `=?base64?…?=`. */
export function encodeHeaderValue(value: string): string {
  const isPlain =
    /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`
}
