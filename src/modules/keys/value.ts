import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefix = 'tallystick_sk_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 34
const checksumLength = 6

/** A new key value: 34 random characters (202 bits) and the checksum of all that stands before it. */
export function mintKeyValue(): string {
  let secret = ''
  for (let i = 0; i < randomLength; i++) secret += alphabet[randomInt(alphabet.length)]
  return `${prefix}${secret}${checksum(prefix + secret)}`
}

/** Whether a text can be one of our keys. Costs no look-up: a secret scanner can do the same offline. */
export function isKeyValue(text: string): boolean {
  if (text.length !== prefix.length + randomLength + checksumLength || !text.startsWith(prefix)) return false
  if (!/^[0-9A-Za-z]+$/.test(text.slice(prefix.length))) return false
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
}

/** CRC-32 in base 62, as GitHub's tokens have it: six characters hold all 32 bits. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

export const hashKeyValue = (value: string): Buffer => createHash('sha256').update(value).digest()

export const hintOf = (value: string): string => value.slice(-4)
