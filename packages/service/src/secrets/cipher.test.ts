import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decrypt, encrypt } from './cipher.js'

describe('the cipher', () => {
  const nonce = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWX')
  const plain = Buffer.from('XAES-256-GCM')

  // From c2sp.org/XAES-256-GCM; the two cases differ in the branch that doubling takes.
  test.each([
    [0x01, '', 'ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271'],
    [0x03, 'c2sp.org/XAES-256-GCM', '986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d'],
  ])('is XAES-256-GCM by its published vectors (key of %i)', (byte, context, expected) => {
    const encrypted = encrypt(Buffer.alloc(32, byte), Buffer.from(context), plain, nonce)
    expect(encrypted.subarray(0, 24)).toEqual(nonce)
    expect(encrypted.subarray(24).toString('hex')).toBe(expected)
  })

  const key = createHash('sha256').update('a key').digest()
  const bytes = fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each))

  test('gives back what was put in', () => {
    fc.assert(
      fc.property(bytes, bytes, (context, value) => {
        expect(decrypt(key, context, encrypt(key, context, value))?.equals(value)).toBe(true)
      }),
    )
  })

  test('opens nothing of which one bit was changed, wherever it is', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.nat(), (context, value, at) => {
        const changed = encrypt(key, context, value)
        const bit = at % (changed.length * 8)
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(decrypt(key, context, changed)).toBeNull()
      }),
    )
  })

  test('opens nothing that was cut short, nor with another key or another context', () => {
    const context = Buffer.from('context')
    const encrypted = encrypt(key, context, plain)
    for (let length = 0; length < encrypted.length; length++)
      expect(decrypt(key, context, encrypted.subarray(0, length))).toBeNull()
    expect(decrypt(Buffer.alloc(32), context, encrypted)).toBeNull()
    expect(decrypt(key, Buffer.from('Context'), encrypted)).toBeNull()
  })

  test('never makes the same bytes twice', () => {
    const made = Array.from({ length: 100 }, () => encrypt(key, plain, plain).toString('hex'))
    expect(new Set(made).size).toBe(100)
  })
})
