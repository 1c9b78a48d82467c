import { expect, test } from 'vitest'
import { couldBeKeyValue, generateKeyValue, hintOf } from './value.js'

// A second implementation from the definition (reflected CRC-32, polynomial 0xEDB88320), as a secret scanner would have.
function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function toBase62(value: number): string {
  return value === 0 ? '' : toBase62(Math.floor(value / 62)) + digits[value % 62]
}

test('the reference implementation gives the published check value', () => {
  expect(crc32('123456789')).toBe(0xcbf43926)
})

test('the last six characters of a value are the base-62 CRC-32 of everything before them', () => {
  for (let i = 0; i < 1_000; i++) {
    const value = generateKeyValue()
    expect(value).toMatch(/^tallystick_sk_[0-9A-Za-z]{40}$/)
    expect(value.slice(-6)).toBe(toBase62(crc32(value.slice(0, -6))).padStart(6, '0'))
    expect(couldBeKeyValue(value)).toBe(true)
    expect(hintOf(value)).toBe(value.slice(-4))
  }
})

test('values do not repeat, and every character of the alphabet occurs', () => {
  const values = Array.from({ length: 1_000 }, generateKeyValue)
  expect(new Set(values).size).toBe(1_000)
  const letters = new Set(values.flatMap((value) => [...value.slice('tallystick_sk_'.length, -6)]))
  expect(letters.size).toBe(62)
})
