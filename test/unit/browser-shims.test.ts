import { isAscii, isUtf8 } from 'node:buffer'
import * as node from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as shimmed from '../../packages/sdk/src/portable/buffer.js'
import * as browser from '../../packages/sdk/src/portable/crypto.js'
import { propertyRuns } from '../harness/run/property-runs.js'
import { random } from '../harness/run/seed.js'

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('0', '9', 'a', 'F', 'g', '+', '/', '-', '_', '=', ' ', '\n', 'é', '\ud800'),
  }),
  fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('hex')),
)
const bytesOf = (value: Uint8Array) => [...value]

describe('bytes in a browser are those of Node', () => {
  test('read from text, and written again', () => {
    fc.assert(
      fc.property(texts, fc.uint8Array(), (text, bytes) => {
        for (const encoding of ['utf8', 'latin1'] as const)
          expect(bytesOf(shimmed.Buffer.from(text, encoding))).toEqual(bytesOf(Buffer.from(text, encoding)))
        // Where a text is not what its bytes are written as, it is refused, whatever was read of it.
        for (const encoding of ['hex', 'base64', 'base64url'] as const) {
          const isExact = Buffer.from(text, encoding).toString(encoding) === text
          expect(shimmed.Buffer.from(text, encoding).toString(encoding) === text).toBe(isExact)
          if (isExact)
            expect(bytesOf(shimmed.Buffer.from(text, encoding))).toEqual(bytesOf(Buffer.from(text, encoding)))
        }
        for (const encoding of ['utf8', 'hex', 'latin1', 'base64', 'base64url'] as const)
          expect(shimmed.Buffer.from(bytes).toString(encoding)).toBe(Buffer.from(bytes).toString(encoding))
      }),
    )
  })

  test('joined, compared, cut, and known for UTF-8 or not', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), fc.nat(40), fc.nat(40), (parts, start, end) => {
        const [here, there] = [Buffer.concat(parts), shimmed.Buffer.concat(parts)]
        expect(bytesOf(there)).toEqual(bytesOf(here))
        expect(there.equals(here)).toBe(true)
        expect(shimmed.Buffer.from(there.subarray(start, end)).toString('hex')).toBe(
          here.subarray(start, end).toString('hex'),
        )
        expect(there.toString('utf8', start, end)).toBe(here.toString('utf8', start, end))
        expect(there.equals(shimmed.Buffer.concat([there, shimmed.Buffer.of(0)]))).toBe(false)
        expect(shimmed.isUtf8(there)).toBe(isUtf8(here))
        expect(shimmed.isAscii(there)).toBe(isAscii(here))
        expect(there.toString('latin1', start, end)).toBe(here.toString('latin1', start, end))
      }),
    )
  })

  test('hashed', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.uint8Array()), (data) => {
        for (const digest of ['hex', 'base64url'] as const) {
          expect(browser.hash('sha256', data, digest)).toBe(node.hash('sha256', data, digest))
          expect(browser.createHash('sha256').update(data).digest(digest)).toBe(
            node.createHash('sha256').update(data).digest(digest),
          )
        }
      }),
    )
  })
})

describe('a signature verifies in a browser where it verifies in Node', () => {
  const { Point } = ed25519
  const order = Point.Fn.ORDER
  const toBytes = (scalar: bigint) => Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse()
  const fromBytes = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`)
  // The points whose eighth multiple is zero: keys and Rs that rules of verification differ on.
  const smallPoints = [
    '0100000000000000000000000000000000000000000000000000000000000000',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '0000000000000000000000000000000000000000000000000000000000000080',
    '0000000000000000000000000000000000000000000000000000000000000000',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    // Not in canonical form: one and zero, written as p + 1 and p.
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '0100000000000000000000000000000000000000000000000000000000000080',
  ].map((hex) => Buffer.from(hex, 'hex'))

  function expectSame(message: Uint8Array, publicKey: Uint8Array, signature: Uint8Array): boolean {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }
    const ours = browser.createPublicKey({ key: jwk, format: 'jwk' })
    const theirs = node.createPublicKey({ key: jwk, format: 'jwk' })
    const expected = node.verify(null, message, theirs, signature)
    expect(browser.verify(null, message, ours, signature)).toBe(expected)
    return expected
  }

  const secret = Buffer.from(Array.from({ length: 32 }, () => Math.floor(random() * 256)))
  const publicKey = ed25519.getPublicKey(secret)

  test('as it is, and with any bit changed', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(511), (message, bit) => {
        const signature = ed25519.sign(message, secret)
        expect(expectSame(message, publicKey, signature)).toBe(true)
        const changed = signature.with(bit >> 3, (signature[bit >> 3] ?? 0) ^ (1 << (bit & 7)))
        expect(expectSame(message, publicKey, changed)).toBe(false)
        expect(expectSame(message, publicKey, signature.subarray(0, bit >> 3))).toBe(false)
      }),
      { numRuns: propertyRuns / 4 },
    )
  })

  test('also of many by one key', () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }
    const key = browser.createPublicKey({ key: jwk, format: 'jwk' })
    for (let at = 0; at < 60; at++) {
      const message = Buffer.from(`message ${at}`)
      const signature = ed25519.sign(message, secret)
      expect(browser.verify(null, message, key, signature)).toBe(true)
      expect(browser.verify(null, Buffer.from(`message ${at + 1}`), key, signature)).toBe(false)
    }
  })

  test('where S is written as one of the numbers that mean the same', () => {
    const message = Buffer.from('twice')
    const signature = ed25519.sign(message, secret)
    const larger = Buffer.concat([
      signature.subarray(0, 32),
      toBytes(fromBytes(signature.subarray(32)) + order),
    ])
    expect(expectSame(message, publicKey, larger)).toBe(false)
  })

  test('where key and R are points of small order, or of none', () => {
    expect(smallPoints.length).toBe(9)
    const verdicts = new Set<boolean>()
    const noPoint = Buffer.alloc(32, 2)
    for (const key of [...smallPoints, noPoint, publicKey])
      for (const r of [...smallPoints, noPoint])
        for (const s of [toBytes(0n), toBytes(1n)])
          for (const text of ['a', 'b'])
            verdicts.add(expectSame(Buffer.from(text), key, Buffer.concat([r, s])))
    // Some of them verify: the rules are told apart.
    expect([...verdicts].sort()).toEqual([false, true])
  })

  test('where a point of small order was added to a true signature', () => {
    // Rules with a cofactor accept it, those without do not.
    const scalar = 12_345n
    const key = Point.BASE.multiply(scalar)
    const small = Point.fromBytes(smallPoints[4] ?? Buffer.alloc(0), true)
    const verdicts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((text) => {
      const message = Buffer.from(text)
      const r = Point.BASE.multiply(777n).add(small).toBytes()
      const digest = node
        .createHash('sha512')
        .update(Buffer.concat([r, key.toBytes(), message]))
        .digest()
      const s = Point.Fn.create(777n + Point.Fn.create(fromBytes(digest)) * scalar)
      const signature = Buffer.concat([r, toBytes(s)])
      expect(ed25519.verify(signature, message, key.toBytes(), { zip215: true })).toBe(true)
      return expectSame(message, key.toBytes(), signature)
    })
    expect(verdicts).not.toContain(true)
  })
})
