import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefix = 'tallystick_sk_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 34
const checksumLength = 6

/**
 * A new key value: 34 random characters (202 bits) and a checksum of everything before it, by which a secret scanner
 * recognises a real key offline.
 */
export function generateKeyValue(): string {
  let secret = ''
  for (let i = 0; i < randomLength; i++) secret += alphabet[randomInt(alphabet.length)]
  return `${prefix}${secret}${checksum(prefix + secret)}`
}

/**
 * True for a text that has the form of a key. The checksum is not verified, because the operator may choose the
 * value of the first key.
 */
export const couldBeKeyValue = (text: string): boolean => /^tallystick_sk_[0-9A-Za-z]{20,200}$/.test(text)

/** CRC-32 in base 62, as in GitHub's tokens: six characters hold all 32 bits. */
function checksum(text: string): string {
  let remainder = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[remainder % 62] + digits
    remainder = Math.floor(remainder / 62)
  }
  return digits
}

export const hashKeyValue = (value: string): Buffer => hash('sha256', value, 'buffer')

export const hintOf = (value: string): string => value.slice(-4)
