/** Separates the name of a server from that of a tool or prompt. Names of servers cannot contain it. */
const separator = '__'
const uriPrefix = 'tallystick://'

/** Returns the name of a tool or prompt for callers that see all servers. */
export const composeName = (server: string, name: string): string => `${server}${separator}${name}`

export function splitName(composed: string): { server: string; name: string } | null {
  const at = composed.indexOf(separator)
  return at <= 0 ? null : { server: composed.slice(0, at), name: composed.slice(at + separator.length) }
}

/**
 * Returns the URI of a resource for callers that see all servers: the name of the server followed by the URI. It is not encoded, so that a
 * URI template that the caller fills in results in a valid URI of the server.
 */
export const composeUri = (server: string, uri: string): string => `${uriPrefix}${server}/${uri}`

export function splitUri(composed: string): { server: string; uri: string } | null {
  if (!composed.startsWith(uriPrefix)) return null
  const at = composed.indexOf('/', uriPrefix.length)
  if (at <= uriPrefix.length) return null
  return { server: composed.slice(uriPrefix.length, at), uri: composed.slice(at + 1) }
}

/** Puts the name of the server before a text that the server wrote, so that the text cannot pretend to come from another server. */
export const attribute = (server: string, text: string): string => `[${server}] ${text}`
