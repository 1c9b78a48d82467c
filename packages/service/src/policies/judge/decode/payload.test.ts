import { describe, expect, test } from 'vitest'
import { floatsOf, noise, samplesOf } from '../../../../../../test/harness/record/plain-bytes.js'
import { trimPayload } from './payload.js'

const judgedOf = (text: string) => trimPayload({ text, json: false, kind: 'payload' })

describe('of bytes that are no text, nothing is judged', () => {
  test.each<[string, Buffer]>([
    ['a picture', noise(200_000)],
    ['numbers of an embedding', floatsOf(1_536)],
    ['a loud recording', samplesOf(60_000, 20_000)],
    ['a quiet recording', samplesOf(60_000, 3_000)],
  ])('%s', (_, bytes) => {
    const encoded = bytes.toString('base64')
    for (const text of [
      encoded,
      encoded.replace(/=+$/, ''),
      encoded.replace(/.{76}/g, '$&\r\n'),
      encoded.replace(/.{64}/g, '$&\n'),
      `${encoded}\n`,
      bytes.toString('base64url'),
    ])
      expect(judgedOf(text)).toMatchObject({ text: '', kind: 'fixed' })
    expect(judgedOf(`data:image/png;base64,${encoded}`)).toMatchObject({ text: 'data:image/png;base64,' })
  })
})

describe('what could be read as it stands is judged', () => {
  const ssns = Array.from({ length: 40 }, (_, at) => `536-22-${1000 + at}`)

  test('all of it, where it is no base64 that an encoder would write', () => {
    const keys = Array.from({ length: 8 }, () => noise(27).toString('base64url'))
    for (const text of [
      ssns.join('\n'),
      ssns.join('/'),
      keys.join('\n'),
      keys.join('\r\n'),
      `${noise(300).toString('base64')}+/-_`,
      `${'x'.repeat(64)}\n${'y'.repeat(63)}\n${'z'.repeat(200)}`,
    ])
      expect(judgedOf(text)).toMatchObject({ text, kind: 'payload' })
  })

  test('the part of it, where it stands among bytes', () => {
    const [before, after] = [noise(30_000).toString('base64'), noise(30_000).toString('base64')]
    const cards = ssns.map((_, at) => String(4_111_111_111_111_111 + at * 7))
    const { text, kind } = judgedOf(`${before}/${cards.join('/')}/${after}`)
    expect(kind).toBe('fixed')
    for (const card of cards) expect(text).toContain(card)
    expect(text.length).toBeLessThan(cards.join('/').length + 2_048)
  })
})
