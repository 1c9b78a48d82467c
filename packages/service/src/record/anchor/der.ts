// The part of DER (ITU-T X.690) that time-stamp requests and responses need.

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  generalizedTime: 0x18,
  sequence: 0x30,
  /** [0], explicit. */
  context0: 0xa0,
} as const

export function encode(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.of(tag), encodeLength(content.length), content])
}

/** For a positive number. DER wants one leading zero byte when the first bit is set, as that is the sign, and no others. */
export function encodeInteger(bytes: Uint8Array): Buffer {
  const firstUsed = bytes.findIndex((byte) => byte !== 0)
  const magnitude = firstUsed < 0 ? Buffer.of(0) : Buffer.from(bytes.subarray(firstUsed))
  const isSigned = ((magnitude[0] ?? 0) & 0x80) !== 0
  return encode(tags.integer, isSigned ? Buffer.concat([Buffer.of(0), magnitude]) : magnitude)
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes])
}

export interface Element {
  tag: number
  content: Buffer
  /** Tag, length and content. */
  raw: Buffer
}

/** Consecutive elements. Throws when one is cut off or has a length that DER does not allow. */
export function decode(bytes: Buffer): Element[] {
  const elements: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const element = decodeOne(bytes.subarray(at))
    elements.push(element)
    at += element.raw.length
  }
  return elements
}

function decodeOne(bytes: Buffer): Element {
  const [tag, short] = bytes
  if (tag === undefined || short === undefined) throw new Error('DER: an element is cut off')
  const lengthBytes = short < 0x80 ? 0 : short & 0x7f
  if (short === 0x80 || lengthBytes > 4 || bytes.length < 2 + lengthBytes)
    throw new Error('DER: a length is invalid')
  const start = 2 + lengthBytes
  const length = lengthBytes === 0 ? short : bytes.readUIntBE(2, lengthBytes)
  if (bytes.length < start + length) throw new Error('DER: an element is cut off')
  return { tag, content: bytes.subarray(start, start + length), raw: bytes.subarray(0, start + length) }
}

/** The elements within an element, which must have the given tag. */
export function open(element: Element | undefined, tag: number): Element[] {
  return decode(contentOf(element, tag))
}

export function contentOf(element: Element | undefined, tag: number): Buffer {
  if (element?.tag !== tag) throw new Error(`DER: expected an element of tag ${tag}, not ${element?.tag}`)
  return element.content
}
