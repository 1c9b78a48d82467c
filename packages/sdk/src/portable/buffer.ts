// The subset of Node's Buffer that the verifier uses. For malformed text, hex or base64 it reads other bytes than Node does; the
// verifier re-encodes what it reads and rejects both.

type Encoding = 'utf8' | 'latin1' | 'hex' | 'base64' | 'base64url'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

class Bytes extends Uint8Array {
  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, i) => byte === other[i])
  }

  override toString(encoding: Encoding = 'utf8', start = 0, end = this.length): string {
    const bytes = start === 0 && end === this.length ? this : this.subarray(start, end)
    return write[encoding](bytes)
  }
}

/** More could exceed the stack of a browser. */
const maxArguments = 8_192

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const write: Record<Encoding, (bytes: Uint8Array) => string> = {
  utf8: (bytes) => decoder.decode(bytes),
  latin1(bytes) {
    let text = ''
    for (let at = 0; at < bytes.length; at += maxArguments)
      text += String.fromCharCode(...bytes.subarray(at, at + maxArguments))
    return text
  },
  hex(bytes) {
    let text = ''
    for (const byte of bytes) text += hexDigits[byte]
    return text
  },
  base64: (bytes) => btoa(write.latin1(bytes)),
  base64url: (bytes) => write.base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
}

const read: Record<Encoding, (text: string) => Bytes> = {
  utf8: (text) => share(encoder.encode(text)),
  latin1(text) {
    const bytes = new Bytes(text.length)
    for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i)
    return bytes
  },
  hex: readHex,
  base64: (text) => readBase64(text),
  base64url: (text) => readBase64(text.replaceAll('-', '+').replaceAll('_', '/')),
}

const share = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Bytes =>
  new Bytes(buffer, byteOffset, length)

function readHex(text: string): Bytes {
  if (!/^(?:[0-9a-f]{2})*$/i.test(text)) return new Bytes(0)
  const bytes = new Bytes(text.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16)
  return bytes
}

function readBase64(text: string): Bytes {
  try {
    return read.latin1(atob(text))
  } catch {
    return new Bytes(0)
  }
}

/** The replacement of Node's global. */
export const Buffer = {
  from: (value: string | ArrayBuffer | Uint8Array, encoding: Encoding = 'utf8'): Bytes =>
    typeof value === 'string'
      ? read[encoding](value)
      : value instanceof ArrayBuffer
        ? new Bytes(value)
        : new Bytes(value),
  of: (...bytes: number[]): Bytes => new Bytes(bytes),
  alloc: (length: number): Bytes => new Bytes(length),
  allocUnsafe: (length: number): Bytes => new Bytes(length),
  concat(parts: readonly Uint8Array[]): Bytes {
    const bytes = new Bytes(parts.reduce((length, part) => length + part.length, 0))
    let at = 0
    for (const part of parts) {
      bytes.set(part, at)
      at += part.length
    }
    return bytes
  },
}

export const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80)

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictDecoder.decode(bytes)
    return true
  } catch {
    return false
  }
}
