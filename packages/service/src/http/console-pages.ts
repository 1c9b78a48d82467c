import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../shared/errors.js'
import type { App } from './app.js'

/** Where `npm run build` puts the console. It does not exist when the service runs from its sources. */
const builtConsole = new URL('../console/', import.meta.url)

/** Pages load only files of this server: no inline scripts, no other origins, no framing. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

interface ConsoleFile {
  type: string
  /** By content coding; `identity` always exists. */
  contents: Map<string, Buffer>
}

/**
 * Serves the console: its page at `/` and at each of its addresses, and the files that the page loads. All files, a
 * few megabytes, are held in memory.
 */
export function registerConsole(app: App, folder: URL = builtConsole): void {
  const files = readFiles(folder)
  const page = files.get('index.html')?.contents.get('identity')?.toString()
  const addresses = files.get('pages.json')?.contents.get('identity')?.toString()
  if (page === undefined || addresses === undefined) return
  const paths: string[] = JSON.parse(addresses)
  const hidden = { schema: { hide: true } }

  const servePage = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('content-security-policy', contentSecurityPolicy).type('text/html; charset=utf-8')
    return page.replace('<base href="/" />', `<base href="${prefixOf(request)}/" />`)
  }
  for (const path of paths) app.get(path, hidden, servePage)

  app.get<{ Params: { '*': string } }>('/assets/*', hidden, async (request, reply) => {
    const file = files.get(`assets/${request.params['*']}`)
    if (!file) throw notFound('console file; after an upgrade, reload the page')
    // The name contains a hash of the contents.
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return send(file, request, reply)
  })
  for (const name of ['mark.svg', 'theme.js']) {
    const file = files.get(name)
    if (!file) continue
    app.get(`/${name}`, hidden, async (request, reply) => {
      reply.header('cache-control', 'public, max-age=600')
      return send(file, request, reply)
    })
  }
}

function send(file: ConsoleFile, { headers }: FastifyRequest, reply: FastifyReply): Buffer | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
  const coding = ['br', 'gzip'].find(
    (name) => file.contents.has(name) && new RegExp(`\\b${name}\\b(?!;q=0(?:\\.0*)?(?:,|$))`).test(accepted),
  )
  reply.type(file.type).header('vary', 'accept-encoding')
  if (coding) reply.header('content-encoding', coding)
  return file.contents.get(coding ?? 'identity')
}

/** Returns the path prefix that a proxy removed. Anything other than plain path segments is ignored. */
function prefixOf({ headers }: FastifyRequest): string {
  const prefix = headers['x-forwarded-prefix']
  return typeof prefix === 'string' && /^(\/[\w.~-]+)+$/.test(prefix) ? prefix : ''
}

const codings: Record<string, string> = { '.br': 'br', '.gz': 'gzip' }

function readFiles(folder: URL): Map<string, ConsoleFile> {
  const files = new Map<string, ConsoleFile>()
  for (const path of listFiles(folder)) {
    const coding = codings[extname(path)] ?? 'identity'
    const name = coding === 'identity' ? path : path.slice(0, -extname(path).length)
    const type = types[extname(name)]
    if (type === undefined) continue
    const file = files.get(name) ?? { type, contents: new Map() }
    file.contents.set(coding, readFileSync(new URL(path, folder)))
    files.set(name, file)
  }
  return files
}

function listFiles(folder: URL): string[] {
  try {
    return readdirSync(folder, { recursive: true })
      .map((name) => String(name).replaceAll('\\', '/'))
      .filter((name) => extname(name) !== '')
  } catch {
    return []
  }
}
