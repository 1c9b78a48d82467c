import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const checksumLength = 6

/** True when a token ends with the CRC-32 of the rest in base 62, like the tokens of GitHub and npm and Tallystick's own keys. */
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
