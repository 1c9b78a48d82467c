import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const checksumLength = 6

/** Whether a token ends with the CRC-32 of what stands before it, in base 62, as those of GitHub, npm and our own keys do. */
export function endsWithChecksum(token: string): boolean {
  return token.endsWith(encode(crc32(token.slice(0, -checksumLength))))
}

function encode(value: number): string {
  let rest = value
  let digits = ''
  for (let count = 0; count < checksumLength; count++) {
    digits = alphabet.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
