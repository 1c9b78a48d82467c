import { type BitInput, DamagedGzipError } from './bit-input.js'

/** A table from the next bits to a symbol, in the upper bits, and the length of its code, in the lower four. */
export interface Codes {
  bits: number
  table: Uint16Array
}

const maxLength = 15

/** Builds the table from the code lengths of all symbols, as in RFC 1951, section 3.2.2. */
export function createCodes(lengths: readonly number[]): Codes {
  const bits = Math.max(1, ...lengths)
  const counts = new Uint16Array(maxLength + 2)
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1
  const next = new Uint32Array(maxLength + 2)
  for (let length = 1; length <= bits; length++)
    next[length + 1] = ((next[length] ?? 0) + (counts[length] ?? 0)) << 1
  const table = new Uint16Array(1 << bits)
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue
    const code = next[length] ?? 0
    next[length] = code + 1
    if (code >= 1 << length) throw new DamagedGzipError('its codes are not valid')
    for (let place = reverse(code, length); place < table.length; place += 1 << length)
      table[place] = (symbol << 4) | length
  }
  return { bits, table }
}

function reverse(code: number, length: number): number {
  let reversed = 0
  for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit)
  return reversed
}

export function takeSymbol(input: BitInput, { bits, table }: Codes): number {
  const found = table[input.peek(bits)] ?? 0
  if (found === 0) throw new DamagedGzipError('it has a code without a meaning')
  input.skip(found & 15)
  return found >> 4
}

export interface BlockCodes {
  literals: Codes
  distances: Codes
}

const fixedLengths = Array.from({ length: 288 }, (_, symbol) =>
  symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
)

export const createFixedCodes = (): BlockCodes => ({
  literals: createCodes(fixedLengths),
  distances: createCodes(Array(30).fill(5)),
})

const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

/** Reads the codes of a block with dynamic codes, as in RFC 1951, section 3.2.7. */
export function readCodes(input: BitInput): BlockCodes {
  const literalCount = input.take(5) + 257
  const distanceCount = input.take(5) + 1
  const lengthCount = input.take(4) + 4
  const lengthLengths = Array<number>(19).fill(0)
  for (const symbol of lengthOrder.slice(0, lengthCount)) lengthLengths[symbol] = input.take(3)
  const lengthCodes = createCodes(lengthLengths)
  const lengths: number[] = []
  const total = literalCount + distanceCount
  while (lengths.length < total) {
    const symbol = takeSymbol(input, lengthCodes)
    if (symbol < 16) lengths.push(symbol)
    else repeat(lengths, symbol, input)
  }
  if (lengths.length > total) throw new DamagedGzipError('its codes are not valid')
  return {
    literals: createCodes(lengths.slice(0, literalCount)),
    distances: createCodes(lengths.slice(literalCount)),
  }
}

function repeat(lengths: number[], symbol: number, input: BitInput): void {
  const previous = lengths.at(-1)
  if (symbol === 16 && previous === undefined) throw new DamagedGzipError('its codes are not valid')
  const [value, count] =
    symbol === 16
      ? [previous ?? 0, 3 + input.take(2)]
      : symbol === 17
        ? [0, 3 + input.take(3)]
        : [0, 11 + input.take(7)]
  for (let i = 0; i < count; i++) lengths.push(value)
}
