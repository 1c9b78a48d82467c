import { isUtf8 } from 'node:buffer'
import { UnusableInputError } from '../fault.js'
import { DamagedGzipError } from '../gzip/bit-input.js'
import { unpack } from '../gzip/unpack.js'

// Far more than the longest entry that a gateway can write; a line without end must not fill the memory.
const maxLineBytes = 64 * 1024 * 1024
const lineBreak = 0x0a

/** A line without its line break; null when it is not UTF-8. */
export type Line = string | null

/** As many lines at a time as a chunk holds: an await for each would cost as much as checking it. */
export type Lines = AsyncGenerator<readonly Line[], void>

/** A file that is read once, front to back. */
export interface Input {
  name: string
  lines: Lines
  /** After all lines were read: what follows the last line break. */
  rest(): Line
  /** After all lines were read: why a compressed file could not be read to its end; null when it could. */
  damage(): string | null
  /** From 0 to 1; null when the size is not known. */
  shareRead(): number | null
}

/** The chunks of a file, as they are or compressed with gzip. One that is cut off or damaged ends there. */
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

// Decoding would silently replace bytes that are not UTF-8, and the check would then be of other bytes than the file's.
function decode(line: Buffer): string | null {
  return isUtf8(line) ? line.toString('utf8') : null
}
