import { isUtf8 } from 'node:buffer'
import { UnusableInputError } from '../fault.js'
import { DamagedGzipError } from '../gzip/bit-input.js'
import { unpack } from '../gzip/unpack.js'

// Far more than the longest entry that a gateway can write. A longer line is refused, so that it cannot fill the memory.
const maxLineBytes = 64 * 1024 * 1024
const lineBreak = 0x0a

/** A line without its line break. Null when it is not UTF-8. */
export type Line = string | null

/** The lines of a file, one chunk at a time: an await for each line would take as long as checking it. */
export type Lines = AsyncGenerator<readonly Line[], void>

/** A file that is read once, from beginning to end. */
export interface Input {
  name: string
  lines: Lines
  /** Returns the text after the last line break. Must be called after all lines were read. */
  rest(): Line
  /** Returns why a compressed file could not be read to its end, or null. Must be called after all lines were read. */
  damage(): string | null
  /** Returns the share that was read, from 0 to 1. Null when the size is not known. */
  shareRead(): number | null
}

/** Reads lines from the chunks of a file, which may be compressed with gzip. A damaged file ends where the damage begins. */
export function splitLines(chunks: AsyncIterable<Uint8Array>): Pick<Input, 'lines' | 'rest' | 'damage'> {
  let damage: string | null = null
  let pieces: Buffer[] = []
  let pieceBytes = 0

  function takeLine(end: Buffer): Line {
    const line = pieces.length === 0 ? end : Buffer.concat([...pieces, end])
    pieces = []
    pieceBytes = 0
    return decode(line)
  }

  async function* unpackAll(): AsyncGenerator<Buffer, void> {
    try {
      yield* unpack(chunks)
    } catch (error) {
      if (!(error instanceof DamagedGzipError)) throw error
      damage = error.message
    }
  }

  async function* read(): Lines {
    for await (const chunk of unpackAll()) {
      const lines: Line[] = []
      let start = 0
      for (let end = chunk.indexOf(lineBreak); end >= 0; end = chunk.indexOf(lineBreak, start)) {
        lines.push(takeLine(chunk.subarray(start, end)))
        start = end + 1
      }
      pieces.push(chunk.subarray(start))
      pieceBytes += chunk.length - start
      if (pieceBytes > maxLineBytes) throw new UnusableInputError('a line is longer than 64 MiB')
      yield lines
    }
  }

  return { lines: read(), rest: () => takeLine(Buffer.of()), damage: () => damage }
}

// Without this check, decoding would silently replace bytes that are not UTF-8, and other bytes than those of the file would be verified.
function decode(line: Buffer): string | null {
  return isUtf8(line) ? line.toString('utf8') : null
}
