/** Between the name of a server and that of a tool or prompt. No server has it in its name. */
const separator = '__'
const uriPrefix = 'tallystick://'

/** A name of a server's own, where the caller sees all servers. */
export const composeName = (server: string, name: string): string => `${server}${separator}${name}`

export function splitName(composed: string): { server: string; name: string } | null {
  const at = composed.indexOf(separator)
  return at <= 0 ? null : { server: composed.slice(0, at), name: composed.slice(at + separator.length) }
}

/**
 * A URI of a server's own, where the caller sees all servers: as it is, after the name of the server. Nothing of it is encoded, so that the
 * template of a URI, filled in by the caller, is the URI that the server means.
 */
export const composeUri = (server: string, uri: string): string => `${uriPrefix}${server}/${uri}`

export function splitUri(composed: string): { server: string; uri: string } | null {
  if (!composed.startsWith(uriPrefix)) return null
  const at = composed.indexOf('/', uriPrefix.length)
  if (at <= uriPrefix.length) return null
  return { server: composed.slice(uriPrefix.length, at), uri: composed.slice(at + 1) }
}

/** A text that a server wrote, where the caller sees all servers: whose it is stands before it, so that it speaks for no other. */
export const attribute = (server: string, text: string): string => `[${server}] ${text}`
