/** How many characters may be read between two chances for others. */
export const stepChars = 65_536

/** Of as few bytes, all must be characters: as many at random happen to be, once in four thousand times. */
const minTolerantBytes = 32
/** Of the characters of bytes at random, and of every compressed format, more than half are none. */
const maxBadShare = 0.2

/** Of as few characters, the first must already be those of a text. */
const maxUntriedChars = Math.floor((minTolerantBytes * 4) / 3)
/** -1 for what is not of the alphabet. */
const sextets = Int8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).replace('-', '+').replace('_', '/')
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(character)
})

/**
 * False if the first bytes of a short run of base64 show that it is no text. Ids are such runs, and every answer has some: without
 * this, judging a call took 1.2 times as long.
 */
export function mayBeText(text: string, start: number, end: number): boolean {
  if (end - start > maxUntriedChars || end - start < 12) return true
  let rest = 0
  let isZero = false
  for (let at = start; at < start + 12; at += 4) {
    let bits = 0
    for (let of = 0; of < 4; of++) {
      const sextet = sextets[text.charCodeAt(at + of)] ?? -1
      if (sextet === -1) return true
      bits = (bits << 6) | sextet
    }
    for (let shift = 16; shift >= 0; shift -= 8) {
      const byte = (bits >> shift) & 0xff
      isZero ||= byte === 0
      rest = restAfter(rest, byte)
      // Text in UTF-16 has zeros in it, or a mark before it.
      if (rest < 0) return isZero || (sextets[text.charCodeAt(start)] ?? 0) === 0x3f
    }
  }
  return true
}

/** How many bytes of a character are still to come after this one; -1 if no text has it here. */
function restAfter(rest: number, byte: number): number {
  if (rest > 0) return byte >= 0x80 && byte <= 0xbf ? rest - 1 : -1
  if (byte < 0x80) return isBad(byte) ? -1 : 0
  if (byte < 0xc2 || byte > 0xf4) return -1
  return byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
}

/** The text that these bytes are, as UTF-8 or UTF-16; null if they are none. */
function readAsText(bytes: Buffer): string | null {
  const order = byteOrderOf(bytes)
  if (order === null && isBinaryBySample(bytes)) return null
  const text = decode(bytes, order)
  const bad = countBad(text, bytes, order)
  // The last character may be cut.
  if (bytes.length < minTolerantBytes) return bad - (text.endsWith('\ufffd') ? 1 : 0) > 0 ? null : text
  return bad > maxBadShare * text.length ? null : text
}

const replacement = Buffer.from('\ufffd')

/** How many characters no text has. A replacement character that stands in the bytes is one of the text. */
function countBad(text: string, bytes: Buffer, order: 'little' | 'big' | null): number {
  let bad = 0
  let replaced = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) replaced++
    else if (isBad(code)) bad++
  }
  if (order !== null || replaced === 0) return bad
  let written = 0
  for (let at = bytes.indexOf(replacement); at !== -1; at = bytes.indexOf(replacement, at + 3)) written++
  return bad + replaced - written
}

const sampleCount = 24
/** At most four bytes at its ends are of characters that are cut. */
const sampleBytes = 96
const minSampledBytes = 8 * sampleCount * sampleBytes
/** Of a text with as much else in it as a text may have, samples have less than half as much. */
const maxBadSampleShare = 0.4

/** Whether samples show that long bytes are far from text. To decode all of a picture of 5 MB takes 150 ms, its samples 10. */
function isBinaryBySample(bytes: Buffer): boolean {
  if (bytes.length < minSampledBytes) return false
  let [bad, length] = [0, 0]
  const step = Math.floor(bytes.length / sampleCount)
  for (let at = 0; at + sampleBytes <= bytes.length; at += step) {
    const sample = bytes.subarray(at, at + sampleBytes)
    const text = sample.toString('utf8')
    bad += countBad(text, sample, null)
    length += text.length
  }
  return bad > maxBadSampleShare * length
}

const isBad = (code: number): boolean =>
  code === 0x7f || (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d)

function decode(bytes: Buffer, order: 'little' | 'big' | null): string {
  if (order === null) return bytes.toString('utf8')
  const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
  if (order === 'big') even.swap16()
  return even.toString('utf16le')
}

/** By its mark; without one, by the zeros that every other byte of most texts is. Null for anything but UTF-16. */
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

// As much as a step of base64 stands for.
const stepBytes = (stepChars * 3) / 4

/** The texts that bytes are, slice by slice, yielding to other calls between them. */
export async function textsInBytes(bytes: Buffer, waitForTurn: () => Promise<void>): Promise<string[]> {
  const found: string[] = []
  let isOpen = false
  for (let at = 0; at < bytes.length; at += stepBytes) {
    if (at > 0) await waitForTurn()
    const decoded = readAsText(bytes.subarray(at, at + stepBytes))
    if (decoded !== null) found.push(isOpen ? (found.pop() ?? '') + decoded : decoded)
    isOpen = decoded !== null
  }
  return found
}

/**
 * The texts that base64 stands for. It is decoded in slices, and each is text or not by itself: text after a picture is still
 * text. Slices that are none separate what they stand between.
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
