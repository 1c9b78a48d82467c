import type { Part } from '../../../db/index.js'

// The ustar format of POSIX, as far as plain files with short names need it.

const blockBytes = 512
const maxNameBytes = 100
const checksumAt = 148
export const tarEnd = Buffer.alloc(2 * blockBytes)

const paddingOf = (bytes: number) => (blockBytes - (bytes % blockBytes)) % blockBytes

/** A file of an archive: its header, its content, and the padding to a whole block. */
export function tarFile({ name, bytes }: Part, modifiedMs: number): Buffer[] {
  const header = Buffer.alloc(blockBytes)
  if (Buffer.byteLength(name) > maxNameBytes)
    throw new RangeError(`The name ${name} is too long for an archive`)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  header.write(name, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(octal(bytes.length, 11), 124)
  header.write(octal(Math.floor(modifiedMs / 1_000), 11), 136)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  header.write(`${octal(checksum(header), 6)}\0 `, checksumAt)
  return [header, bytes, Buffer.alloc(paddingOf(bytes.length))]
}

/** The sum of all bytes of a header, in which the sum itself counts as spaces. */
function checksum(header: Buffer): number {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= checksumAt && at < checksumAt + 8 ? 0x20 : byte
  return sum
}

/** A file of an archive, with the bytes that it takes there. */
export interface TarFile extends Part {
  raw: Buffer[]
}

export class TarError extends Error {}

/** Reads the files of an archive, one at a time, up to its end. */
export async function* readTar(bytes: AsyncIterable<Buffer>): AsyncGenerator<TarFile> {
  const take = createTaker(bytes)
  for (;;) {
    const header = await take(blockBytes)
    if (header.every((byte) => byte === 0)) return
    const sum = Number.parseInt(header.toString('latin1', checksumAt, checksumAt + 7), 8)
    const size = Number.parseInt(header.toString('latin1', 124, 136), 8)
    if (sum !== checksum(header) || !(size >= 0)) throw new TarError('a header is damaged')
    const name = header.toString('utf8', 0, header.subarray(0, maxNameBytes).indexOf(0))
    const content = await take(size)
    yield { name, bytes: content, raw: [header, content, await take(paddingOf(size))] }
  }
}

/** Returns a function that takes the next bytes of a stream. */
function createTaker(bytes: AsyncIterable<Buffer>): (count: number) => Promise<Buffer> {
  const iterator = bytes[Symbol.asyncIterator]()
  // Bounded: what one call needs, and the rest of a chunk.
  let waiting: Buffer[] = []
  let available = 0
  return async (count) => {
    while (available < count) {
      const next = await iterator.next()
      if (next.done) throw new TarError('it ends too early')
      waiting.push(next.value)
      available += next.value.length
    }
    const all = waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting)
    waiting = [all.subarray(count)]
    available -= count
    return all.subarray(0, count)
  }
}
