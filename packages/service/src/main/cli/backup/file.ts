import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, link, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Part, Parts } from '../../../db/index.js'
import { renameDurably, syncFolder } from '../../../shared/durable-files.js'
import { errorCode, hasCode } from '../../../shared/error-code.js'
import { conflict, notFound } from '../../../shared/errors.js'
import { readTar, TarError, tarEnd, tarFile } from './tar.js'

// A backup is a .tar.gz of the parts of a copy. Its last file has the SHA-256 of all bytes before it, and with a passphrase also an HMAC.

const endName = 'end.json'

export interface WriteOptions {
  /** Replaces a file that exists. */
  isForced: boolean
  /** Authenticates the file. Null for a backup without keys. */
  fileKey: Buffer | null
}

/** Writes a backup under another name, and gives it its own once it is complete and on the disk. Returns its size in bytes. */
export async function writeBackupFile(
  path: string,
  parts: Parts,
  { isForced, fileKey }: WriteOptions,
): Promise<number> {
  if (!isForced && (await exists(path))) throw conflict(`${path} exists; --force replaces it`)
  const draft = `${path}.${randomUUID()}.partial`
  const archive = Readable.from(toArchive(parts, fileKey), { objectMode: false })
  try {
    await pipeline(archive, createGzip(), createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }))
    if (isForced) await renameDurably(draft, path)
    else await link(draft, path)
  } catch (error) {
    throw hasCode(error, 'EEXIST') ? conflict(`${path} exists; --force replaces it`) : error
  } finally {
    await rm(draft, { force: true })
  }
  await syncFolder(dirname(path))
  return (await stat(path)).size
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

async function* toArchive(parts: Parts, fileKey: Buffer | null): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const part of parts)
    for (const bytes of tarFile(part, Date.now())) {
      hash.update(bytes)
      if (bytes.length > 0) yield bytes
    }
  const digest = hash.digest()
  const end = { sha256: digest.toString('hex'), ...(fileKey && { hmac: authenticate(fileKey, digest) }) }
  yield* tarFile({ name: endName, bytes: Buffer.from(`${JSON.stringify(end)}\n`) }, Date.now())
  yield tarEnd
}

const authenticate = (key: Buffer, digest: Buffer) => createHmac('sha256', key).update(digest).digest('hex')

/** Reads the parts of a backup. Throws at its end when it is not what was written; `fileKey` tells whether its writer had the passphrase. */
export async function* readBackupFile(path: string, fileKey: () => Buffer | null): AsyncGenerator<Part> {
  const source = createReadStream(path)
  const gunzip = createGunzip()
  // The error of the file is that of the stream that is read.
  source.on('error', (error) => gunzip.destroy(error))
  source.pipe(gunzip)
  const hash = createHash('sha256')
  let end: Part | null = null
  try {
    for await (const { raw, ...part } of readTar(gunzip)) {
      if (end !== null) throw new TarError('something follows its end')
      if (part.name === endName) end = part
      else {
        for (const bytes of raw) hash.update(bytes)
        yield part
      }
    }
    // Reads up to the checksum of the compression.
    for await (const rest of gunzip) if (rest.length === 0) break
    if (end === null) throw new TarError('it ends too early')
    requireEnd(end, hash.digest(), fileKey())
  } catch (error) {
    throw describeFault(path, error)
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

function requireEnd({ bytes }: Part, digest: Buffer, fileKey: Buffer | null): void {
  const { sha256, hmac }: { sha256?: unknown; hmac?: unknown } = JSON.parse(bytes.toString('utf8'))
  if (sha256 !== digest.toString('hex')) throw new TarError('its checksum differs')
  if (fileKey !== null && hmac !== authenticate(fileKey, digest))
    throw new TarError('it was written by somebody without the passphrase')
}

function describeFault(path: string, error: unknown): unknown {
  if (hasCode(error, 'ENOENT', 'EACCES', 'EISDIR')) return notFound(`backup: ${path} (${errorCode(error)})`)
  if (hasCode(error, 'Z_BUF_ERROR')) return conflict(`${path} is cut off: nothing was restored`)
  if (error instanceof TarError || error instanceof SyntaxError || errorCode(error)?.startsWith('Z_'))
    return conflict(
      `${path} is damaged or no backup (${error instanceof Error ? error.message : error}): nothing was restored`,
    )
  return error
}
