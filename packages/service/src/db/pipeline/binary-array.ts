/** The types of elements, as Postgres numbers them. */
const types = { bytea: 17, bigint: 20, text: 25, smallint: 21 }

const headerBytes = 20
const maxBytesPerCharacter = 3

/** Returns an array parameter in binary form. In text form, every quote in a text must be escaped, of which JSON is full. */
export function textArray(values: readonly (string | null)[]): Buffer {
  const characters = values.reduce((sum, value) => sum + (value?.length ?? 0), 0)
  const { array, addElement } = createArray(types.text, values, characters * maxBytesPerCharacter)
  for (const value of values) addElement(value, (text, buffer, at) => buffer.write(text, at))
  return array()
}

export function bigintArray(values: readonly (number | null)[]): Buffer {
  const { array, addElement } = createArray(types.bigint, values, values.length * 8)
  for (const value of values)
    addElement(value, (number, buffer, at) => buffer.writeBigInt64BE(BigInt(number), at) - at)
  return array()
}

export function smallintArray(values: readonly number[]): Buffer {
  const { array, addElement } = createArray(types.smallint, values, values.length * 2)
  for (const value of values) addElement(value, (number, buffer, at) => buffer.writeInt16BE(number, at) - at)
  return array()
}

export function byteaArray(values: readonly (Buffer | null)[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + (value?.length ?? 0), 0)
  const { array, addElement } = createArray(types.bytea, values, bytes)
  for (const value of values) addElement(value, (element, buffer, at) => element.copy(buffer, at))
  return array()
}

function createArray<Element>(type: number, values: readonly (Element | null)[], maxContentBytes: number) {
  const buffer = Buffer.allocUnsafe(headerBytes + 4 * values.length + maxContentBytes)
  const hasNull = values.includes(null)
  // One dimension, whether there are nulls, the type, the length, and the index of the first element.
  for (const [i, field] of [1, hasNull ? 1 : 0, type, values.length, 1].entries())
    buffer.writeInt32BE(field, 4 * i)
  let at = headerBytes
  return {
    array: () => buffer.subarray(0, at),
    /** Adds an element. `write` writes it at a position and returns the number of bytes. */
    addElement(value: Element | null, write: (value: Element, buffer: Buffer, at: number) => number): void {
      const bytes = value === null ? 0 : write(value, buffer, at + 4)
      buffer.writeInt32BE(value === null ? -1 : bytes, at)
      at += 4 + bytes
    },
  }
}
