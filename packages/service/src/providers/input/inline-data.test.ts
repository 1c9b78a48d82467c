import { describe, expect, test } from 'vitest'
import { readBase64, readDataUrl } from './inline-data.js'

const bytes = Buffer.from([0xfb, 0xef, 0xbe, 0xff, 0xfe, 1, 2, 3, 4, 5])
const text = bytes.toString('base64')

describe('base64', () => {
  test('is read as an encoder writes it, with or without padding', () => {
    expect(readBase64(text, 'Image/PNG')).toEqual({ bytes, mediaType: 'image/png' })
    expect(readBase64(text.replace(/=+$/, ''), '')).toEqual({ bytes, mediaType: '' })
    expect(readDataUrl(`data:image/png;base64,${text}`)?.bytes).toEqual(bytes)
  })

  // What one decoder skips, another replaces, and a third stops at: each has other bytes then.
  test.each([
    ['characters of the URL-safe alphabet', bytes.toString('base64url')],
    ['a character that is none', `${text.slice(0, 8)}!${text.slice(8)}`],
    ['one more character at the end', 'QUJD!'],
    ['white space', `${text.slice(0, 8)}\n${text.slice(8)}`],
    ['padding in the middle', `QQ==${text}`],
    ['padding in the middle that makes up for its length', `QUI=${text}`],
    ['too much padding', 'QUJD='],
    ['a part of a byte', 'QUJDR'],
    ['bits that no byte has', 'QR=='],
    ['nothing', ''],
  ])('with %s is not read', (_, written) => {
    expect(readBase64(written, '')).toBeNull()
  })
})
