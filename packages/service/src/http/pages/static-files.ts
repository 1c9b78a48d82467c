import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

const codings: Record<string, string> = { '.br': 'br', '.gz': 'gzip' }

/** A file that pages load, as the build left it. */
export interface StaticFile {
  type: string
  /** By content coding; `identity` always exists. */
  locations: Map<string, URL>
}

/** The files of a folder by their path in it, but for hidden ones. There are none when the folder does not exist. */
export function listStaticFiles(folder: URL): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  for (const path of listPaths(folder)) {
    const coding = codings[extname(path)] ?? 'identity'
    const name = coding === 'identity' ? path : path.slice(0, -extname(path).length)
    const type = types[extname(name)]
    if (type === undefined) continue
    const file = files.get(name) ?? { type, locations: new Map() }
    file.locations.set(coding, new URL(encodeURI(path), folder))
    files.set(name, file)
  }
  return files
}

function listPaths(folder: URL): string[] {
  try {
    return readdirSync(folder, { recursive: true })
      .map((name) => String(name).replaceAll('\\', '/'))
      .filter((name) => extname(name) !== '' && !/(^|\/)\./.test(name))
  } catch {
    return []
  }
}

/** A file whose name contains a hash of its contents. */
export const neverChanges = 'public, max-age=31536000, immutable'

/** The browser revalidates the file for each page, and gets 304 when its copy is current. */
export const asksAgain = 'no-cache'

/** Answers with the smallest form of the file that the client accepts. */
export async function sendStaticFile(
  file: StaticFile,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  cacheControl: string,
  read: (location: URL) => Buffer | Promise<Buffer> = (location) => readFile(location),
): Promise<Buffer | undefined> {
  const coding = chooseCoding(file, String(headers['accept-encoding'] ?? ''))
  const location = file.locations.get(coding)
  if (location === undefined) throw new Error(`a file of pages has no form "${coding}"`)
  const contents = await read(location)
  reply
    .type(file.type)
    .header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
    .header('cache-control', cacheControl)
  if (coding !== 'identity') reply.header('content-encoding', coding)
  if (cacheControl !== asksAgain) return contents
  const etag = `"${createHash('sha256').update(contents).digest('base64url').slice(0, 22)}"`
  reply.header('etag', etag)
  if (headers['if-none-match'] !== etag) return contents
  reply.code(304)
  return undefined
}

const chooseCoding = (file: StaticFile, accepted: string) =>
  ['br', 'gzip'].find(
    (name) => file.locations.has(name) && new RegExp(`\\b${name}\\b(?!;q=0(?:\\.0*)?(?:,|$))`).test(accepted),
  ) ?? 'identity'
