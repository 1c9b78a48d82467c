import type { Outbound } from '../../outbound/index.js'
import type { Headers } from '../../secrets/index.js'
import { ApiError, conflict, invalidField } from '../../shared/errors.js'
import type { NewAuth } from './schema.js'
import type { McpAuth } from './tool-server.js'

/** Names that the service itself uses under `/mcp/`. */
const reservedNames = new Set(['tallystick', 'oauth'])

export function requireFreeName(name: string, configured: readonly { name: string }[]): void {
  if (reservedNames.has(name)) throw invalidField('name', `${name} is reserved`)
  if (configured.some((each) => each.name === name))
    throw conflict(`There is already a server called ${name}, in the configuration of this service`)
}

/** Applies the address rules of webhooks: a tenant must not reach addresses that only this machine can reach. */
export async function requireAddress(url: string, outbound: Outbound): Promise<void> {
  try {
    await outbound.requireUrl(url, 'url')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw invalidField('url', error.message.replace(/^url: /, ''))
  }
}

// Headers that the connection or the protocol sets.
const ownHeaders =
  /^(?:accept|accept-encoding|connection|content-.*|expect|host|http2-settings|keep-alive|last-event-id|mcp-.*|proxy-.*|te|trailer|transfer-encoding|upgrade|x-tallystick-.*)$/

/** Returns why a header of this name cannot be sent; null if it can. */
export function faultOfHeaderName(name: string): string | null {
  if (!/^[a-z0-9!#$%&'*+.^_|~-]+$/.test(name)) return 'is not the name of a header in lower case'
  return ownHeaders.test(name) ? 'is set by the gateway itself' : null
}

export function requireHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(headers)) {
    const path = `headers.${name}`
    const fault = faultOfHeaderName(name)
    if (fault !== null) throw invalidField(path, fault)
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw invalidField(path, 'has characters that no header may have')
  }
}

const fieldsOf = {
  none: [],
  passthrough: [],
  header: ['header'],
  oauth: ['clientId', 'scopes', 'clientSecret'],
} as const

/** Returns the `auth` settings after checking that they fit their type and the headers of the server. */
export function readAuth(input: NewAuth, headerNames: readonly string[]): McpAuth {
  const allowed: readonly string[] = fieldsOf[input.type]
  for (const field of ['header', 'clientId', 'scopes', 'clientSecret'] as const)
    if (input[field] !== undefined && !allowed.includes(field))
      throw invalidField(`auth.${field}`, `does not belong to ${input.type}`)
  switch (input.type) {
    case 'header': {
      const { header } = input
      if (header === undefined) throw invalidField('auth.header', 'is required')
      const fault = faultOfHeaderName(header)
      if (fault !== null) throw invalidField('auth.header', fault)
      requireNoClash(header, headerNames)
      return { type: 'header', header }
    }
    case 'oauth':
      requireNoClash('authorization', headerNames)
      return { type: 'oauth', clientId: input.clientId ?? null, scopes: input.scopes ?? [] }
    case 'passthrough':
      requireNoClash('authorization', headerNames)
      return { type: 'passthrough' }
    default:
      return { type: 'none' }
  }
}

function requireNoClash(header: string, headerNames: readonly string[]): void {
  if (headerNames.includes(header))
    throw invalidField(`headers.${header}`, 'is the header that each user gives a value for')
}
