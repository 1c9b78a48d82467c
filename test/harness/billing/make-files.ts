import { crc32, deflateSync } from 'node:zlib'

// Small files of every kind that requests carry, made here so that their size is what the test says.

export function makePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // One bit of grey: the smallest that is an image.
  header.set([1, 0, 0, 0, 0], 8)
  const row = Buffer.alloc(1 + Math.ceil(width / 8))
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', pixels), pngChunk('IEND')])
}

function pngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

/** Up to its frame header: what says the size. A thumbnail of another size stands before it, as cameras write. */
export function makeJpeg(width: number, height: number): Buffer {
  const thumbnail = frame(160, 120)
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), Buffer.from([0xff, 0xd8]), thumbnail])
  const segment = Buffer.alloc(4)
  segment.writeUInt16BE(0xffe1, 0)
  segment.writeUInt16BE(exif.length + 2, 2)
  const end = Buffer.from([0xff, 0xd9])
  return Buffer.concat([Buffer.from([0xff, 0xd8]), segment, exif, frame(width, height), end])
}

function frame(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(13)
  bytes.writeUInt16BE(0xffc0, 0)
  bytes.writeUInt16BE(11, 2)
  bytes.writeUInt8(8, 4)
  bytes.writeUInt16BE(height, 5)
  bytes.writeUInt16BE(width, 7)
  bytes.set([1, 1, 0x11, 0], 9)
  return bytes
}

export function makeGif(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(14)
  bytes.write('GIF89a', 0, 'latin1')
  bytes.writeUInt16LE(width, 6)
  bytes.writeUInt16LE(height, 8)
  bytes.writeUInt8(0x3b, 13)
  return bytes
}

export function makeWebp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(30)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(22, 4)
  bytes.write('WEBPVP8X', 8, 'latin1')
  bytes.writeUInt32LE(10, 16)
  bytes.writeUIntLE(width - 1, 24, 3)
  bytes.writeUIntLE(height - 1, 27, 3)
  return bytes
}

/** Silence: one channel of 16 bits, 16,000 times a second. */
export function makeWav(seconds: number): Buffer {
  const samples = Buffer.alloc(seconds * 32_000)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(16_000, 24)
  header.writeUInt32LE(32_000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

// ISO/IEC 13818-3, layer III of MPEG 2 at 16 kHz: 576 samples in a frame, whose length follows from its bitrate.
export const mp3Rates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
export const mp3FrameLength = (kbits: number): number => Math.floor((72 * kbits * 1_000) / 16_000)

/** Frames of MPEG 2, layer III, at 16 kHz: 36 ms each. At 8 kbit/s a minute of it has 60 kB. */
export function makeMp3(seconds: number, kbits: number): Buffer {
  const frame = Buffer.alloc(mp3FrameLength(kbits))
  frame.set([0xff, 0xf3, (mp3Rates.indexOf(kbits) << 4) | 0x08, 0xc4])
  return Buffer.concat(Array.from({ length: Math.ceil((seconds * 16_000) / 576) }, () => frame))
}

const compressed = (text: string, members = ''): string => {
  const bytes = deflateSync(Buffer.from(text, 'latin1')).toString('latin1')
  return `<< /Length ${bytes.length} /Filter /FlateDecode ${members}>>\nstream\n${bytes}\nendstream`
}

const showText = (text: string) => `BT /F1 11 Tf 40 740 Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`

/**
 * A PDF with one text on each page, its streams compressed. With `hiddenPages`, the pages themselves stand in an object
 * stream too, as PDF 1.5 allows: nobody who only searches the bytes finds them.
 */
export function makePdf(pages: readonly string[], { hiddenPages = false } = {}): Buffer {
  const contentOf = (index: number) => 10 + index
  const pageOf = (index: number) => 10 + pages.length + index
  const tree = `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${pageOf(index)} 0 R`).join(' ')}] >>`
  const page = (index: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${contentOf(index)} 0 R >>`
  const objects = new Map<number, string>([[1, '<< /Type /Catalog /Pages 2 0 R >>']])
  for (const [index, text] of pages.entries()) objects.set(contentOf(index), compressed(showText(text)))
  const inner = new Map<number, string>([[2, tree]])
  for (const index of pages.keys()) inner.set(pageOf(index), page(index))
  if (hiddenPages) objects.set(3, objectStream(inner))
  else for (const [number, object] of inner) objects.set(number, object)
  const body = [...objects].map(([number, object]) => `${number} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.5\n${body}trailer\n<< /Root 1 0 R >>\n%%EOF\n`, 'latin1')
}

function objectStream(objects: ReadonlyMap<number, string>): string {
  let offset = 0
  const places = [...objects].map(([number, text]) => {
    const place = `${number} ${offset}`
    offset += text.length + 1
    return place
  })
  const index = `${places.join(' ')} `
  const text = index + [...objects.values()].join('\n')
  return compressed(text, `/Type /ObjStm /N ${objects.size} /First ${index.length} `)
}

export const dataUrl = (type: string, bytes: Buffer): string =>
  `data:${type};base64,${bytes.toString('base64')}`
