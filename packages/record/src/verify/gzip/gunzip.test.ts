import { constants, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DamagedGzipError } from './bit-input.js'
import { gunzip } from './gunzip.js'
import { unpack } from './unpack.js'

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

/** What is given out, and the error after it. */
async function read(packed: Uint8Array, size = 1 << 20, by = gunzip) {
  const pieces: Buffer[] = []
  try {
    for await (const piece of by(inChunks(packed, size))) pieces.push(piece)
  } catch (error) {
    if (!(error instanceof DamagedGzipError)) throw error
    return { bytes: Buffer.concat(pieces), damage: error.message }
  }
  return { bytes: Buffer.concat(pieces), damage: null }
}

// Text that repeats, text that does not, and bytes that cannot be compressed.
const contents = fc.oneof(
  fc.uint8Array({ maxLength: 3_000 }),
  fc
    .array(fc.constantFrom('receipt', '"seq":', '0', 'é', '\n'), { maxLength: 2_000 })
    .map((words) => Buffer.from(words.join(''))),
  fc.tuple(fc.nat(255), fc.nat(700_000)).map(([byte, length]) => new Uint8Array(length).fill(byte)),
)
const options = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FIXED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
  ),
  memLevel: fc.integer({ min: 1, max: 9 }),
})

test('unpacks what zlib packs, whatever the content, the settings and the pieces it comes in', async () => {
  await fc.assert(
    fc.asyncProperty(contents, options, fc.integer({ min: 1, max: 5_000 }), async (content, how, size) => {
      const { bytes, damage } = await read(gzipSync(content, how), size)
      expect(damage).toBeNull()
      expect(bytes.equals(Buffer.from(content))).toBe(true)
    }),
  )
})

test('members follow each other, and headers may carry names and comments', async () => {
  const text = Buffer.from('all of it')
  const member = gzipSync(text)
  const extras = Buffer.concat([
    member.subarray(0, 3),
    Buffer.of(2 + 4 + 8 + 16),
    member.subarray(4, 10),
    Buffer.from([3, 0, 1, 2, 3, ...Buffer.from('name\0comment\0'), 9, 9]),
    member.subarray(10),
  ])
  for (const size of [1, 7, 1_000]) {
    const { bytes, damage } = await read(Buffer.concat([member, extras, gzipSync(''), member]), size)
    expect({ text: bytes.toString(), damage }).toEqual({ text: 'all of itall of itall of it', damage: null })
  }
})

const random = Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * i * 31 + (i >> 3)) & 255))

test('what is cut off gives out what comes before, and says so', async () => {
  const packed = gzipSync(random)
  for (let length = 0; length < packed.length; length += 97) {
    const { bytes, damage } = await read(packed.subarray(0, length))
    expect(damage).toBe('it is cut off')
    expect(random.subarray(0, bytes.length).equals(bytes)).toBe(true)
  }
})

test('what follows the end, or is changed anywhere, is noticed', async () => {
  const packed = gzipSync('some text, some text')
  for (const more of ['\0', '\n', 'junk', '\u001f', '\u001f\u008b', '{"type":"end"}\n'])
    expect((await read(Buffer.concat([packed, Buffer.from(more, 'latin1')]))).damage).not.toBeNull()
  for (let place = 0; place < packed.length; place++) {
    const changed = Buffer.from(packed.with(place, (packed[place] ?? 0) ^ 0x10))
    const { bytes, damage } = await read(changed)
    // The time, the speed and the system in the header say nothing about the content.
    if (place >= 4 && place < 10) expect(bytes.toString()).toBe('some text, some text')
    else if (place !== 3) expect(damage).not.toBeNull()
    else expect(bytes.toString() === 'some text, some text' && damage === null).toBe(false)
  }
})

test('whatever bytes it is given, it ends, and never accepts what zlib refuses', async () => {
  const header = gzipSync('').subarray(0, 10)
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (noise) => {
      const packed = Buffer.concat([header, noise])
      const { bytes, damage } = await read(packed)
      if (damage === null) expect(gunzipSync(packed).equals(bytes)).toBe(true)
    }),
  )
  const wrongSum = Buffer.concat([header, deflateRawSync('x'), Buffer.alloc(8)])
  expect(await read(wrongSum)).toEqual({ bytes: Buffer.from('x'), damage: 'its checksum is wrong' })
})

test('what is not compressed is given out as it is, also in single bytes', async () => {
  for (const text of ['', '{', '{}', 'a longer text'])
    expect((await read(Buffer.from(text), 1, unpack)).bytes.toString()).toBe(text)
  expect((await read(gzipSync('packed'), 1, unpack)).bytes.toString()).toBe('packed')
})
