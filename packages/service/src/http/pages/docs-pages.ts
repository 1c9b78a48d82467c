import { readFile, stat } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../shared/errors.js'
import type { App } from '../app.js'
import { prefixOf } from '../path-prefix.js'
import { pagePolicy } from './security-policy.js'
import { asksAgain, listStaticFiles, neverChanges, type StaticFile, sendStaticFile } from './static-files.js'

/** Where `npm run build` puts the site of the documentation. It does not exist when the service runs from its sources. */
const builtDocs = new URL('../../docs/', import.meta.url)

/**
 * Serves the documentation at `/docs/`, from the disk: few people read it, and seldom. `/docs` itself is the API
 * reference, which has its place at `/docs/api/`.
 */
export function registerDocs(app: App, folder: URL = builtDocs): void {
  const hidden = { schema: { hide: true } }
  const currentFiles = followFolder(folder)

  app.get('/docs', hidden, (_, reply) => reply.redirect('docs/api/', 302))

  app.get<{ Params: { '*': string } }>('/docs/*', hidden, async (request, reply) => {
    const files = await currentFiles()
    const path = request.params['*']
    if (files.size === 0 && path === '') return reply.redirect('api/', 302)
    const found = findFile(files, path)
    if (found) return await serve(found, path, request, reply)
    const missing = files.get('404.html')
    if (missing === undefined || path.startsWith('assets/')) throw notFound(`page: ${request.url}`)
    reply.code(404)
    return await serve(missing, '404.html', request, reply)
  })
}

/**
 * The files of a folder that a build may put in place, or replace, while the service runs: from a checkout, the site
 * is built after the start.
 */
function followFolder(folder: URL): () => Promise<Map<string, StaticFile>> {
  let files = new Map<string, StaticFile>()
  let listedMs: number | null = null
  return async () => {
    const builtMs = await stat(new URL('index.html', folder)).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    )
    if (builtMs !== listedMs) files = builtMs === null ? new Map() : listStaticFiles(folder)
    listedMs = builtMs
    return files
  }
}

function findFile(files: Map<string, StaticFile>, path: string): StaticFile | undefined {
  if (path === '' || path.endsWith('/')) return files.get(`${path}index.html`)
  return files.get(path) ?? files.get(`${path}.html`)
}

async function serve(file: StaticFile, path: string, request: FastifyRequest, reply: FastifyReply) {
  const cacheControl = path.startsWith('assets/') ? neverChanges : asksAgain
  const page = file.locations.get('identity')
  const prefix = prefixOf(request)
  const isText = /^text\/(html|javascript|css)/.test(file.type)
  const rewritten =
    prefix !== '' && isText && page ? addPrefix(await readFile(page, 'utf8'), prefix) : undefined
  if (file.type.startsWith('text/html') && page)
    reply.header('content-security-policy', pagePolicy(rewritten ?? (await readFile(page, 'utf8'))))
  // A shared cache must not give one prefix the files of another.
  reply.header('vary', 'x-forwarded-prefix')
  if (rewritten === undefined || !page) return await sendStaticFile(file, request, reply, cacheControl)
  const plain = { type: file.type, locations: new Map([['identity', page]]) }
  return await sendStaticFile(plain, request, reply, cacheControl, () => Buffer.from(rewritten))
}

/** The site is built for `/docs/`. This puts a prefix before each address: what follows a quote, `(` or `=`. */
const addPrefix = (text: string, prefix: string) => text.replace(/(["'`(=])\/docs\//g, `$1${prefix}/docs/`)
