import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from './webhooks.js'

const secret = 'whsec_zVK3rYyZ0pXk2l6gq0kq8Xx9JvL8mF2n1bT5cW7dE4M='
const seconds = 1_763_200_000
const now = () => seconds * 1_000
const body =
  '{"id":"dlv_1","event":"webhook.test","created":"2026-11-15T09:30:00.000Z","data":{"message":"é"}}'

const sign = (text: string, key = secret, time: number | string = seconds) =>
  createHmac('sha256', key).update(`${time}.${text}`).digest('hex')
const header = (...signatures: string[]) =>
  [`t=${seconds}`, ...signatures.map((each) => `v1=${each}`)].join(',')
const verify = (options: Partial<Parameters<typeof verifyWebhook>[0]>) =>
  verifyWebhook({ body, signature: header(sign(body)), secret, now, ...options })

describe('a delivery is read', () => {
  test('from text and from bytes alike', () => {
    const event = {
      id: 'dlv_1',
      event: 'webhook.test',
      created: '2026-11-15T09:30:00.000Z',
      data: { message: 'é' },
    }
    expect(verify({})).toEqual(event)
    expect(verify({ body: Buffer.from(body) })).toEqual(event)
    expect(verify({ body: new Uint8Array(Buffer.from(body)) })).toEqual(event)
  })

  test('when one of several signatures is right, wherever it stands', () => {
    const wrong = sign(body, 'whsec_other')
    for (const signatures of [
      [wrong, sign(body)],
      [sign(body), wrong],
      [wrong, wrong, sign(body)],
    ])
      expect(verify({ signature: header(...signatures) }).id).toBe('dlv_1')
  })

  test('when one of several secrets is right', () => {
    expect(verify({ secret: ['whsec_next', secret] }).id).toBe('dlv_1')
  })

  test('beside signatures of a scheme that is not known yet', () => {
    expect(verify({ signature: `t=${seconds},v2=future,v1=${sign(body)}` }).id).toBe('dlv_1')
  })

  test('up to five minutes away from our clock, and not a second more', () => {
    for (const away of [-300, 300]) expect(verify({ now: () => (seconds + away) * 1_000 }).id).toBe('dlv_1')
    for (const away of [-301, 301])
      expect(() => verify({ now: () => (seconds + away) * 1_000 })).toThrow('too old')
    expect(verify({ now: () => (seconds + 900) * 1_000, toleranceSeconds: 900 }).id).toBe('dlv_1')
  })
})

describe('a delivery is refused', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['no time', `v1=${sign(body)}`],
    ['a time that is no number', `t=now,v1=${sign(body, secret, 'now')}`],
    ['a negative time', `t=-1,v1=${sign(body, secret, -1)}`],
    ['a fraction', `t=${seconds}.5,v1=${sign(body, secret, `${seconds}.5`)}`],
    ['two times', `t=${seconds},t=${seconds},v1=${sign(body)}`],
    ['no signature', `t=${seconds}`],
    ['an empty signature', `t=${seconds},v1=`],
    ['a short signature', `t=${seconds},v1=${sign(body).slice(2)}`],
    ['a signature that is no hex', `t=${seconds},v1=${'z'.repeat(64)}`],
    ['only a scheme that is not known', `t=${seconds},v2=${sign(body)}`],
  ])('for a header with %s', (_, signature) => {
    expect(() => verify({ signature })).toThrow(WebhookVerificationError)
  })

  test('when it was written again, or its time or its secret is another', () => {
    expect(() => verify({ body: JSON.stringify(JSON.parse(body), null, 1) })).toThrow('No signature')
    expect(() => verify({ signature: `t=${seconds + 1},v1=${sign(body)}` })).toThrow('No signature')
    expect(() => verify({ secret: 'whsec_other' })).toThrow('No signature')
    expect(() => verify({ secret: [] })).toThrow('No signature')
  })

  test('whatever one byte of it was changed', () => {
    const bytes = Buffer.from(body)
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, mask) => {
        const changed = Buffer.from(bytes)
        changed[place] = (changed[place] ?? 0) ^ mask
        expect(() => verify({ body: changed })).toThrow(WebhookVerificationError)
      }),
    )
  })

  test('whatever the header is, and never with another error', () => {
    fc.assert(
      fc.property(fc.string(), (signature) => {
        expect(() => verify({ signature })).toThrow(WebhookVerificationError)
      }),
    )
  })
})
