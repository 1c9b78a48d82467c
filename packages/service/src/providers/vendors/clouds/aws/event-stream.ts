import { crc32 } from 'node:zlib'

/** A message of an event stream, with the headers that are strings. */
export interface EventStreamMessage {
  headers: Readonly<Record<string, string>>
  payload: Buffer
}

// The total length, the length of the headers, and a checksum of both.
const preludeBytes = 12
const checksumBytes = 4
// AWS's own limits: 24 MiB and 128 KiB.
const maxMessageBytes = 24 * 1024 * 1024
const maxHeadersBytes = 128 * 1024

/**
 * Splits AWS's event stream (application/vnd.amazon.eventstream) into messages, however it is split into chunks.
 * Lengths are checked before anything is stored, checksums before anything is read. Throws on the first invalid
 * byte and ignores everything after it. https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export class EventStreamSplitter {
  #chunks: Buffer[] = []
  #size = 0
  /** The length of the message that is being read; 0 until it is known. */
  #needed = 0

  push(chunk: Buffer): EventStreamMessage[] {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size < Math.max(this.#needed, preludeBytes)) return []
    let rest = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#size)
    const messages: EventStreamMessage[] = []
    this.#needed = 0
    while (rest.length >= preludeBytes) {
      const length = readLength(rest)
      if (rest.length < length) {
        this.#needed = length
        break
      }
      messages.push(readMessage(rest.subarray(0, length)))
      rest = rest.subarray(length)
    }
    this.#chunks = rest.length === 0 ? [] : [rest]
    this.#size = rest.length
    return messages
  }

  /** Throws if the stream ended in the middle of a message. */
  end(): void {
    if (this.#size > 0) throw new Error('the event stream ended in the middle of a message')
  }
}

function readLength(buffer: Buffer): number {
  const total = buffer.readUInt32BE(0)
  const headers = buffer.readUInt32BE(4)
  if (crc32(buffer.subarray(0, 8)) !== buffer.readUInt32BE(8))
    throw new Error('the checksum of a prelude is wrong')
  if (total > maxMessageBytes || headers > maxHeadersBytes) throw new Error('a message is too long')
  if (total < preludeBytes + headers + checksumBytes) throw new Error('the lengths of a message do not fit')
  return total
}

function readMessage(message: Buffer): EventStreamMessage {
  const end = message.length - checksumBytes
  if (crc32(message.subarray(0, end)) !== message.readUInt32BE(end))
    throw new Error('the checksum of a message is wrong')
  const headersEnd = preludeBytes + message.readUInt32BE(4)
  return {
    headers: readHeaders(message.subarray(preludeBytes, headersEnd)),
    payload: message.subarray(headersEnd, end),
  }
}

const stringType = 7
/**
 * By type: true, false, byte, short, integer, long; then timestamp and UUID. Bytes and strings are preceded by
 * their length.
 */
const fixedBytes: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 }
const bytesType = 6

function readHeaders(bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = {}
  let at = 0
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('a header is longer than the headers')
    const taken = bytes.subarray(at, at + length)
    at += length
    return taken
  }
  while (at < bytes.length) {
    const name = take(take(1).readUInt8()).toString()
    const type = take(1).readUInt8()
    if (type === stringType || type === bytesType) {
      const value = take(take(2).readUInt16BE())
      if (type === stringType) headers[name] = value.toString()
    } else {
      const length = fixedBytes[type]
      if (length === undefined) throw new Error(`a header has the unknown type ${type}`)
      take(length)
    }
  }
  return headers
}
