import { BitInput, DamagedGzipError } from './bit-input.js'
import { type BlockCodes, createFixedCodes, readCodes } from './huffman.js'
import { Output } from './output.js'

// The decompression of Node and of browsers is not used, because they handle bytes after the end, a second member and a wrong checksum
// differently, and return different amounts of a damaged file. The command and the browser must come to the same verdict.

export const isGzip = (start: Uint8Array): boolean => start[0] === 0x1f && start[1] === 0x8b

/**
 * Unpacks gzip (RFC 1952): consecutive members, and nothing after the last one. For a damaged file it yields everything before the damage
 * and then throws a `DamagedGzipError`.
 */
export async function* gunzip(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  const input = new BitInput(packed)
  do {
    await readHeader(input)
    const output = new Output()
    try {
      yield* inflate(input, output)
    } catch (error) {
      if (error instanceof DamagedGzipError) yield output.take()
      throw error
    }
    yield output.take()
    await input.fill(9)
    if (takeNumber(input) !== output.checksum || takeNumber(input) !== output.length)
      throw new DamagedGzipError('its checksum is wrong')
  } while (!(await input.isAtEnd()))
}

const flags = { hasChecksum: 2, hasExtra: 4, hasName: 8, hasComment: 16, reserved: 0xe0 }

async function readHeader(input: BitInput): Promise<void> {
  await input.fill(13)
  const start = [input.takeByte(), input.takeByte(), input.takeByte(), input.takeByte()]
  const given = start[3] ?? 0
  if (!isGzip(Uint8Array.from(start)) || start[2] !== 8 || (given & flags.reserved) !== 0)
    throw new DamagedGzipError('something else follows the end of the compressed data')
  for (let i = 0; i < 6; i++) input.takeByte()
  if (given & flags.hasExtra)
    for (let left = input.takeByte() | (input.takeByte() << 8); left > 0; left--) {
      await input.fill(1)
      input.takeByte()
    }
  if (given & flags.hasName) await skipText(input)
  if (given & flags.hasComment) await skipText(input)
  await input.fill(2)
  if (given & flags.hasChecksum) for (let i = 0; i < 2; i++) input.takeByte()
}

async function skipText(input: BitInput): Promise<void> {
  do await input.fill(1)
  while (input.takeByte() !== 0)
}

function takeNumber(input: BitInput): number {
  let value = 0
  for (let byte = 0; byte < 4; byte++) value += input.takeByte() * 256 ** byte
  return value
}

// More than the header of a block: three bits, at most 19 lengths of 3 bits, and at most 320 lengths of 14 bits.
const blockStartBytes = 1_024
const fixedCodes = createFixedCodes()

async function* inflate(input: BitInput, output: Output): AsyncGenerator<Buffer, void> {
  for (let isLast = false; !isLast; ) {
    await input.fill(blockStartBytes)
    isLast = input.take(1) === 1
    const kind = input.take(2)
    if (kind === 0) yield* copyStored(input, output)
    else if (kind === 1) yield* decode(input, output, fixedCodes)
    else if (kind === 2) yield* decode(input, output, readCodes(input))
    else throw new DamagedGzipError('it has a block of an unknown kind')
  }
}

async function* copyStored(input: BitInput, output: Output): AsyncGenerator<Buffer, void> {
  const length = input.takeByte() | (input.takeByte() << 8)
  const complement = input.takeByte() | (input.takeByte() << 8)
  if ((length ^ complement) !== 0xffff) throw new DamagedGzipError('it has a block of an impossible length')
  for (let left = length; left > 0; left--) {
    if (input.isShortOf(1)) await input.fill(1)
    if (output.isFull) yield output.take()
    output.add(input.takeByte())
  }
}

async function* decode(input: BitInput, output: Output, codes: BlockCodes): AsyncGenerator<Buffer, void> {
  while (!decodeSome(input, output, codes)) {
    if (output.isFull) yield output.take()
    else await input.fill(symbolBytes)
  }
}

// A match has at most 15 + 5 + 15 + 13 bits.
const symbolBytes = 8
const endOfBlock = 256
const lengthBases = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
]
const lengthExtras = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const distanceBases = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
]
const distanceExtras = distanceBases.map((_, i) => (i < 2 ? 0 : (i >> 1) - 1))

/** Returns true at the end of the block, and false when it needs more input or more space for output. */
function decodeSome(input: BitInput, output: Output, { literals, distances }: BlockCodes): boolean {
  const { bytes: source } = input
  const { bytes: target } = output
  let { next, bits, count } = input
  let at = output.next
  /** Consumes bits. Throws when the file is cut off. */
  const drop = (length: number) => {
    if (length > count) throw new DamagedGzipError('it is cut off')
    bits >>>= length
    count -= length
  }
  const fill = () => {
    while (count < 16 && next < source.length) {
      bits |= (source[next++] ?? 0) << count
      count += 8
    }
  }
  try {
    for (;;) {
      if (at > Output.fullAt || (source.length - next < symbolBytes && input.isShortOf(symbolBytes, next)))
        return false
      fill()
      const found = literals.table[bits & (literals.table.length - 1)] ?? 0
      if (found === 0) throw new DamagedGzipError('it has a code without a meaning')
      drop(found & 15)
      const symbol = found >> 4
      if (symbol < endOfBlock) {
        target[at++] = symbol
        continue
      }
      if (symbol === endOfBlock) return true
      fill()
      const extra = lengthExtras[symbol - 257] ?? 0
      const length = (lengthBases[symbol - 257] ?? 0) + (bits & ((1 << extra) - 1))
      drop(extra)
      fill()
      const far = distances.table[bits & (distances.table.length - 1)] ?? 0
      if (far === 0) throw new DamagedGzipError('it has a code without a meaning')
      drop(far & 15)
      fill()
      const farExtra = distanceExtras[far >> 4] ?? 0
      const distance = (distanceBases[far >> 4] ?? Number.POSITIVE_INFINITY) + (bits & ((1 << farExtra) - 1))
      drop(farExtra)
      if (length < 3 || distance > at) throw new DamagedGzipError('it refers to what is not there')
      for (let end = at + length; at < end; at++) target[at] = target[at - distance] ?? 0
    }
  } finally {
    Object.assign(input, { next, bits, count })
    output.next = at
  }
}
