import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.js'
import type { App } from './app.js'

/**
 * A path that there is not is refused before the body is read: a stranger's megabyte would be held until all of it has come.
 * Clients of models know many endpoints of vendors: they are told which of them are offered, by the routes themselves.
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
    const words = `${noSuchPath}. For models there are ${[...offered].join(', ')}; GET /docs describes them, and the management API`
    return new ApiError('not_found', words)
  }
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw refusal(request)
  })
  // The framework needs one to run the hook.
  app.setNotFoundHandler((request) => {
    throw refusal(request)
  })
}

/** As the document of the API has it. */
const describePath = (url: string): string => url.replace('*', '{name}').replace(/:(\w+)/g, '{$1}')
