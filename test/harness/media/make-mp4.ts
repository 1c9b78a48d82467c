const uint32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

const box = (name: string, ...parts: readonly Buffer[]): Buffer => {
  const data = Buffer.concat([...parts])
  return Buffer.concat([uint32(8 + data.length), Buffer.from(name, 'latin1'), data])
}

/** A frame of AAC at 8 kHz without a sound: 128 ms in four bytes. */
const silentFrame = Buffer.from([0x01, 0x40, 0x00, 0x07])
const sampleRate = 8_000
const samplesPerFrame = 1_024

/** An MP4 file with AAC whose table of chunks names the same bytes `chunks` times, with `frames` each. */
export function mp4Repeating(chunks: number, frames: number): { bytes: Buffer; seconds: number } {
  const samples = chunks * frames
  const ticks = samples * samplesPerFrame
  const config = Buffer.from(
    '0380808022000100048080801440150000000000000000000000000580808002158806808080 0102'.replace(' ', ''),
    'hex',
  )
  const entry = Buffer.concat([
    Buffer.from('0000000000000001000000000000000000010010000000001f400000', 'hex'),
    box('esds', uint32(0), config),
  ])
  const tables = [
    box('stsd', uint32(0, 1), box('mp4a', entry)),
    box('stts', uint32(0, 1, samples, samplesPerFrame)),
    box('stsc', uint32(0, 1, 1, frames, 1)),
    box('stsz', uint32(0, silentFrame.length, samples)),
    box('stco', uint32(0, chunks), uint32(...Array.from({ length: chunks }, () => 32))),
  ]
  const media = box(
    'mdia',
    box('mdhd', uint32(0, 0, 0, sampleRate, ticks), Buffer.from('55c40000', 'hex')),
    box('hdlr', uint32(0, 0), Buffer.from('soun'), Buffer.alloc(13)),
    box(
      'minf',
      box('smhd', uint32(0, 0)),
      box('dinf', box('dref', uint32(0, 1), box('url ', uint32(1)))),
      box('stbl', ...tables),
    ),
  )
  const track = box('trak', box('tkhd', uint32(7, 0, 0, 1, 0, 1), Buffer.alloc(60)), media)
  const movie = box('moov', box('mvhd', uint32(0, 0, 0, 1000, 1), Buffer.alloc(80)), track)
  const data = box('mdat', ...Array.from({ length: frames }, () => silentFrame))
  const start = box('ftyp', Buffer.from('M4A \0\0\0\0M4A mp42', 'latin1'))
  return { bytes: Buffer.concat([start, data, movie]), seconds: ticks / sampleRate }
}
