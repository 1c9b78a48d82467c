import { readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../shared/errors.js'
import type { App } from '../app.js'
import { prefixOf } from '../path-prefix.js'
import { pagePolicy } from './security-policy.js'
import { listStaticFiles, neverChanges, type StaticFile, sendStaticFile } from './static-files.js'

/** Where `npm run build` puts the console. It does not exist when the service runs from its sources. */
const builtConsole = new URL('../../console/', import.meta.url)

const tenMinutes = 'public, max-age=600'

/**
 * Serves the console: its page at `/` and at each of its addresses, and the files that the page loads. All files, a
 * few megabytes, are held in memory.
 */
export function registerConsole(app: App, folder: URL = builtConsole): void {
  const files = listStaticFiles(folder)
  const read = readAll(files)
  const textOf = (name: string) => {
    const location = files.get(name)?.locations.get('identity')
    return location && read(location).toString()
  }
  const page = textOf('index.html')
  const addresses = textOf('pages.json')
  if (page === undefined || addresses === undefined) return
  const paths: string[] = JSON.parse(addresses)
  const hidden = { schema: { hide: true } }
  const policy = pagePolicy()

  const servePage = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8')
    return page.replace('<base href="/" />', `<base href="${prefixOf(request)}/" />`)
  }
  for (const path of paths) app.get(path, hidden, servePage)

  app.get<{ Params: { '*': string } }>('/assets/*', hidden, async (request, reply) => {
    const file = files.get(`assets/${request.params['*']}`)
    if (!file) throw notFound('console file; after an upgrade, reload the page')
    return await sendStaticFile(file, request, reply, neverChanges, read)
  })
  // Browsers ask for the icon by this name where no page names one, as for a JSON document.
  for (const [path, name] of [
    ['/mark.svg', 'mark.svg'],
    ['/favicon.ico', 'mark.svg'],
    ['/theme.js', 'theme.js'],
  ] as const) {
    const file = files.get(name)
    if (!file) continue
    app.get(path, hidden, (request, reply) => sendStaticFile(file, request, reply, tenMinutes, read))
  }
}

/** Bounded: the files of one build. A newer one may take their place while this process serves. */
function readAll(files: Map<string, StaticFile>): (location: URL) => Buffer {
  const contents = new Map<string, Buffer>()
  for (const { locations } of files.values())
    for (const location of locations.values()) contents.set(location.href, readFileSync(location))
  return (location) => contents.get(location.href) ?? readFileSync(location)
}
