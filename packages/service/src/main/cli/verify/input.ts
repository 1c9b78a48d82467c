import { createReadStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { type Input, splitLines, UnusableInputError } from '@tallystick/record/verify'
import { errorCode } from '../../../shared/error-code.js'

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

async function* readChunks(source: Readable): AsyncGenerator<Buffer, void> {
  try {
    yield* source
  } catch (error) {
    throw new UnusableInputError(`cannot be read (${errorCode(error) ?? String(error)})`)
  }
}
