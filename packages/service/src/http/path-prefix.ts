import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** The path of the public URL, such as `/tallystick`. Empty when there is none. */
    pathPrefix: string
  }
}

/**
 * Returns the path below which the browser of this request sees the service. A proxy says it in `X-Forwarded-Prefix`;
 * otherwise it is the path of the public URL. Anything other than plain path segments is ignored.
 */
export function prefixOf({ headers, server }: FastifyRequest): string {
  const prefix = headers['x-forwarded-prefix']
  return typeof prefix === 'string' && /^(\/[\w.~-]+)+\/?$/.test(prefix)
    ? prefix.replace(/\/$/, '')
    : server.pathPrefix
}

/**
 * Removes the prefix from the path of a request whose proxy did not, as some load balancers cannot. A proxy that did
 * sends the header; removing a second prefix then would let a path through that the proxy refuses.
 */
export const removePrefix = (prefix: string) => {
  const withSlash = `${prefix}/`
  return ({ url = '/', headers }: IncomingMessage): string => {
    if (headers['x-forwarded-prefix'] !== undefined) return url
    if (url.startsWith(withSlash)) return url.slice(prefix.length)
    return url.split('?')[0] === prefix ? `/${url.slice(prefix.length)}` : url
  }
}
