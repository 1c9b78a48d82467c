import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { errorCode } from '../../error-code.js'
import { UnusableInputError } from '../../ledger/verify/fault.js'
import { type Input, splitLines } from '../../ledger/verify/files/lines.js'

const chunkBytes = 1024 * 1024

/** "-" is the standard input. */
export function openInput(path: string): Input {
  if (path === '-')
    return { name: 'standard input', ...splitLines(readChunks(process.stdin)), shareRead: () => null }
  const file = createReadStream(path, { highWaterMark: chunkBytes })
  const totalBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return {
    name: path,
    ...splitLines(readChunks(file)),
    shareRead: () => (totalBytes > 0 ? Math.min(1, file.bytesRead / totalBytes) : null),
  }
}

/** A gzip file that is cut off or damaged counts as a file that ends there. */
async function* readChunks(source: Readable): AsyncGenerator<Buffer, void> {
  try {
    yield* await unpack(source)
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (code.startsWith('Z_')) return
    throw new UnusableInputError(`cannot be read (${code || String(error)})`)
  }
}

async function unpack(source: Readable): Promise<Readable> {
  await once(source, 'readable')
  const first: Buffer | null = source.read()
  if (first === null) return source
  source.unshift(first)
  const isGzip = first[0] === 0x1f && first[1] === 0x8b
  return isGzip ? pipeline(source, createGunzip({ chunkSize: chunkBytes }), () => undefined) : source
}
