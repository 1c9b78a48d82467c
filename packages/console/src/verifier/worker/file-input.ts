import { type Input, splitLines, UnusableInputError } from '@tallystick/record/verify'
import type { NamedFile } from '../protocol.js'

const chunkBytes = 1024 * 1024

export interface FileInput extends Input {
  readBytes(): number
}

/** Reads a file sequentially in chunks. */
export function openFile({ name, content }: NamedFile): FileInput {
  let readBytes = 0
  async function* read(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    while (readBytes < content.size) {
      const chunk = await readChunk(content, readBytes)
      readBytes += chunk.length
      yield chunk
    }
  }
  return {
    name,
    ...splitLines(read()),
    shareRead: () => (content.size > 0 ? readBytes / content.size : null),
    readBytes: () => readBytes,
  }
}

async function readChunk(file: Blob, start: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const chunk = new Uint8Array(await file.slice(start, start + chunkBytes).arrayBuffer())
    if (chunk.length > 0) return chunk
  } catch (error) {
    throw new UnusableInputError(`cannot be read (${error instanceof Error ? error.name : String(error)})`)
  }
  throw new UnusableInputError('cannot be read (it became shorter)')
}
