/** How many characters are decoded before yielding to other calls. */
export const stepChars = 65_536

/** Of fewer bytes than this, all must be valid characters: random bytes of this length are, once in four thousand times. */
const minTolerantBytes = 32
/** In random bytes and in every compressed format, more than half of the characters are invalid. */
const maxInvalidShare = 0.2

/** A run up to this length is only decoded if its first characters can be text. */
const maxUntriedChars = Math.floor((minTolerantBytes * 4) / 3)
/** The value of each base64 character; -1 for others. */
const sextets = Int8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).replace('-', '+').replace('_', '/')
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(character)
})

/**
 * False when the first bytes of a short run of base64 show that it is not text. Ids are short runs, and every answer has some: without
 * this, judging a call took 1.2 times as long.
 */
export function mayBeText(text: string, start: number, end: number): boolean {
  if (end - start > maxUntriedChars || end - start < 12) return true
  let rest = 0
  let isZero = false
  for (let at = start; at < start + 12; at += 4) {
    let bits = 0
    for (let offset = 0; offset < 4; offset++) {
      const sextet = sextets[text.charCodeAt(at + offset)] ?? -1
      if (sextet === -1) return true
      bits = (bits << 6) | sextet
    }
    for (let shift = 16; shift >= 0; shift -= 8) {
      const byte = (bits >> shift) & 0xff
      isZero ||= byte === 0
      rest = remainingBytesAfter(rest, byte)
      // UTF-16 text contains zero bytes or starts with a byte order mark.
      if (rest < 0) return isZero || (sextets[text.charCodeAt(start)] ?? 0) === 0x3f
    }
  }
  return true
}

/** Returns how many bytes of the character follow this one; -1 if the byte is not valid here. */
function remainingBytesAfter(rest: number, byte: number): number {
  if (rest > 0) return byte >= 0x80 && byte <= 0xbf ? rest - 1 : -1
  if (byte < 0x80) return isInvalid(byte) ? -1 : 0
  if (byte < 0xc2 || byte > 0xf4) return -1
  return byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
}

/** Decodes bytes as UTF-8 or UTF-16; null if they are not text. */
function readAsText(bytes: Buffer): string | null {
  const order = byteOrderOf(bytes)
  if (order === null && isBinaryBySample(bytes)) return null
  const text = decode(bytes, order)
  const invalid = countInvalid(text, bytes, order)
  // The last character may be cut off.
  if (bytes.length < minTolerantBytes) return invalid - (text.endsWith('\ufffd') ? 1 : 0) > 0 ? null : text
  return invalid > maxInvalidShare * text.length ? null : text
}

const replacement = Buffer.from('\ufffd')

/** Counts the invalid characters. A replacement character that is encoded in the bytes themselves is valid. */
function countInvalid(text: string, bytes: Buffer, order: 'little' | 'big' | null): number {
  let invalid = 0
  let replaced = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) replaced++
    else if (isInvalid(code)) invalid++
  }
  if (order !== null || replaced === 0) return invalid
  let written = 0
  for (let at = bytes.indexOf(replacement); at !== -1; at = bytes.indexOf(replacement, at + 3)) written++
  return invalid + replaced - written
}

const sampleCount = 24
/** At most four bytes at the ends of a sample belong to characters that are cut. */
const sampleBytes = 96
const minSampledBytes = 8 * sampleCount * sampleBytes
/** Samples of a text with as many invalid characters as a text may have stay below this share. */
const maxInvalidSampleShare = 0.4

/** True when samples show that long bytes are not text. Decoding a picture of 5 MB takes 150 ms, its samples 10. */
function isBinaryBySample(bytes: Buffer): boolean {
  if (bytes.length < minSampledBytes) return false
  let [invalid, length] = [0, 0]
  const step = Math.floor(bytes.length / sampleCount)
  for (let at = 0; at + sampleBytes <= bytes.length; at += step) {
    const sample = bytes.subarray(at, at + sampleBytes)
    const text = sample.toString('utf8')
    invalid += countInvalid(text, sample, null)
    length += text.length
  }
  return invalid > maxInvalidSampleShare * length
}

const isInvalid = (code: number): boolean =>
  code === 0x7f || (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d)

function decode(bytes: Buffer, order: 'little' | 'big' | null): string {
  if (order === null) return bytes.toString('utf8')
  const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
  if (order === 'big') even.swap16()
  return even.toString('utf16le')
}

/** Returns the byte order of UTF-16, by its mark or by the zeros in every other byte; null for anything else. */
function byteOrderOf(bytes: Buffer): 'little' | 'big' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'little'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'big'
  const sample = bytes.subarray(0, 64)
  const zeros = [0, 0]
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (Math.min(even, odd) > 0 || Math.max(even, odd) < 0.35 * sample.length) return null
  return odd > even ? 'little' : 'big'
}

// As many bytes as one step of base64 encodes.
const stepBytes = (stepChars * 3) / 4

/** Returns the texts in bytes. Decodes slice by slice and yields to other calls in between. */
export async function textsInBytes(bytes: Buffer, yieldToEventLoop: () => Promise<void>): Promise<string[]> {
  const found: string[] = []
  let isOpen = false
  for (let at = 0; at < bytes.length; at += stepBytes) {
    if (at > 0) await yieldToEventLoop()
    const decoded = readAsText(bytes.subarray(at, at + stepBytes))
    if (decoded !== null) found.push(isOpen ? (found.pop() ?? '') + decoded : decoded)
    isOpen = decoded !== null
  }
  return found
}

/**
 * Returns the texts in base64. It is decoded in slices, and each slice is text or not on its own: text after a picture is still text. A
 * slice that is not text separates the texts around it.
 */
export function* decodeSlices(encoded: string): Generator<void, string[]> {
  const packed = /\s/.test(encoded) ? encoded.replace(/\s+/g, '') : encoded
  const found: string[] = []
  let isOpen = false
  for (let at = 0; at < packed.length; at += stepChars) {
    const decoded = readAsText(Buffer.from(packed.slice(at, at + stepChars), 'base64'))
    if (decoded !== null && decoded !== '') {
      if (isOpen) found.push((found.pop() ?? '') + decoded)
      else found.push(decoded)
    }
    isOpen = decoded !== null
    if (at > 0) yield
  }
  return found
}
