import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decode, encode, encodeInteger, tags } from './der.js'
import { readTimeStampResponse, readTokenTime, writeTimeStampRequest } from './time-stamp.js'

const vector = JSON.parse(
  readFileSync(new URL('../../../../../test/vectors/time-stamp.json', import.meta.url), 'utf8'),
)
const response = Buffer.from(vector.response, 'base64')
const digest = hash('sha256', vector.text, 'buffer')
const nonce = Buffer.from(vector.nonce, 'hex')

test('an answer that OpenSSL made is read: the token and its time', () => {
  const { token, at } = readTimeStampResponse(response, { digest, nonce })
  expect(at.toISOString()).toBe(vector.at)
  expect(readTokenTime(token)).toEqual(at)
  expect(response.includes(token)).toBe(true)
})

test('an answer for another hash or another request is refused', () => {
  expect(() => readTimeStampResponse(response, { digest: hash('sha256', 'b', 'buffer'), nonce })).toThrow(
    'another hash',
  )
  expect(() => readTimeStampResponse(response, { digest, nonce: Buffer.alloc(16, 1) })).toThrow(
    'another request',
  )
})

test('a refusal is told with its status, and a grant without a token is none', () => {
  const answer = (status: number) =>
    encode(tags.sequence, encode(tags.sequence, encodeInteger(Buffer.of(status))))
  expect(() => readTimeStampResponse(answer(2), { digest, nonce })).toThrow('refused: status 2')
  expect(() => readTimeStampResponse(answer(0), { digest, nonce })).toThrow('sent none')
})

test('whatever is cut off or changed in an answer, it is refused or still for the same hash', () => {
  for (let length = 0; length < response.length; length++)
    expect(() => readTimeStampResponse(response.subarray(0, length), { digest, nonce })).toThrow()
  fc.assert(
    fc.property(fc.nat(response.length - 1), fc.integer({ min: 1, max: 255 }), (place, flip) => {
      const changed = Buffer.from(response)
      changed[place] = (changed[place] ?? 0) ^ flip
      try {
        readTimeStampResponse(changed, { digest, nonce })
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
        return
      }
      expect(changed.includes(digest)).toBe(true)
    }),
  )
})

test('a request names version, hash, nonce and the wish for the certificate', () => {
  const request = writeTimeStampRequest(digest, nonce)
  expect(request.toString('hex')).toBe(
    `30${(request.length - 2).toString(16)}0201013031300d060960864801650304020105000420${digest.toString('hex')}` +
      `021100${vector.nonce}0101ff`,
  )
})

test('elements of any length are read as they were written', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 4 }), (contents) => {
      const written = Buffer.concat(contents.map((content) => encode(tags.octetString, content)))
      expect(decode(written).map(({ content }) => [...content])).toEqual(
        contents.map((content) => [...content]),
      )
    }),
  )
})

test('numbers are written in the fewest bytes, and never as negative', () => {
  const hexOf = (...bytes: number[]) => encodeInteger(Buffer.from(bytes)).toString('hex')
  expect(hexOf(0)).toBe('020100')
  expect(hexOf(0, 0, 5)).toBe('020105')
  expect(hexOf(0x80)).toBe('02020080')
  expect(hexOf()).toBe('020100')
})
