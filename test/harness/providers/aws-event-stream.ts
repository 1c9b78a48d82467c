import { crc32 } from 'node:zlib'

/** A message of AWS's event stream, as a server makes it. Headers are strings, or bytes as they are. */
export function encodeMessage(headers: Record<string, string> | Buffer, payload: Buffer): Buffer {
  const head = Buffer.isBuffer(headers) ? headers : Buffer.concat(Object.entries(headers).map(encodeHeader))
  const message = Buffer.alloc(12 + head.length + payload.length + 4)
  message.writeUInt32BE(message.length, 0)
  message.writeUInt32BE(head.length, 4)
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8)
  head.copy(message, 12)
  payload.copy(message, 12 + head.length)
  message.writeUInt32BE(crc32(message.subarray(0, -4)), message.length - 4)
  return message
}

function encodeHeader([name, value]: [string, string]): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, bytes])
}
