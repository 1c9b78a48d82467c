import type { FastifyRequest } from 'fastify'
import { ApiError } from '../shared/errors.js'
import type { App } from './app.js'

/**
 * Refuses an unknown path before the body is read: otherwise anyone could make the server buffer a megabyte. Clients know many vendor endpoints; the message lists those that exist, taken from the routes
 * themselves.
 */
export function refuseUnknownPaths(app: App): void {
  const offered = new Set<string>()
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    if (!schema?.tags?.includes('Gateway')) return
    for (const each of [method].flat())
      if (each !== 'HEAD')
        offered.add(`${each} ${describePath(url)}${config?.webSocket ? ' (WebSocket)' : ''}`)
  })
  const refusal = (request: FastifyRequest) => {
    const path = request.url.split('?')[0]
    const noSuchPath = `No such path: ${request.method} ${path}`
    if (!path?.startsWith('/v1/')) return new ApiError('not_found', noSuchPath)
    const message = `${noSuchPath}. For models there are ${[...offered].join(', ')}; GET /docs describes them, and the management API`
    return new ApiError('not_found', message)
  }
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw refusal(request)
  })
  // The framework requires a handler to run the hook.
  app.setNotFoundHandler((request) => {
    throw refusal(request)
  })
}

/** Writes a path in the form of the API document. */
const describePath = (url: string): string => url.replace('*', '{name}').replace(/:(\w+)/g, '{$1}')
