import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seed } from '../../../../../../test/harness/run/seed.js'
import { createSliceQueue } from '../../../shared/slice-queue.js'
import { findPii, findSecrets } from '../../detect/index.js'
import { createKeywordFinder } from '../../kinds/finders/keyword-finder.js'
import { pattern } from '../../kinds/pattern.js'
import { pii } from '../../kinds/pii.js'
import type { CompiledPolicy } from '../../sets/compiled-policy.js'
import { PolicyGroup } from '../../sets/policy-group.js'
import { createReceiptChecks } from '../../sets/receipt-checks.js'
import { CheckResults } from '../check-results.js'
import { applyEdits } from '../edit/edits.js'
import { Redactions } from '../edit/redactions.js'
import { judgeTexts } from '../judge-texts.js'
import { isId, type JudgedText } from '../judged-text.js'
import { WorkTimer } from '../work-timer.js'
import { findDecodings } from './decodings.js'
import { trimPayload } from './payload.js'

const policy = (judge: CompiledPolicy['judge'], action: CompiledPolicy['action']): CompiledPolicy => ({
  ...{ id: 'pol_1', version: 1, name: 'Test', kind: 'pii', phase: 'both', action, reference: 'pol_1@1' },
  receiptChecks: createReceiptChecks({ kind: 'pii', reference: 'pol_1@1', action }),
  judge,
})
const words = (...list: string[]): CompiledPolicy =>
  policy({ subject: 'text', finders: [createKeywordFinder(list, false)], restore: false }, 'redact')
const cards = policy(pii.compile({ entities: ['credit_card'] }), 'redact')

async function redact(text: JudgedText, policies: CompiledPolicy[]) {
  const results = new CheckResults(policies)
  const timer = new WorkTimer(createSliceQueue())
  const edits = await judgeTexts(new PolicyGroup(policies), [text], {
    results,
    redactions: new Redactions(),
    timer,
  })
  return { text: applyEdits(text.text, edits.get(0) ?? []), refusal: results.refusal()?.message }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const said = 'The word is nightfall, of course.'
const bytes = fc.uint8Array({ minLength: 300, maxLength: 600 }).map((each) => Buffer.from(each))

describe('what a text says when it is decoded', () => {
  test('is found in base64, wherever it stands', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 16 }).filter((each) => !/\p{Cc}/u.test(each))
    fc.assert(
      fc.property(text, fc.constantFrom('', 'see ', '"', 'a/b: '), (encoded, before) => {
        const decodings = findDecodings(`${before}${base64(encoded)} after`)
        expect(decodings.map((decoding) => decoding.text)).toContain(encoded)
        for (const decoding of decodings.filter((each) => each.text === encoded))
          expect(decoding.toSpan(1, 2)).toEqual({
            start: before.length,
            end: before.length + base64(encoded).length,
          })
      }),
    )
  })

  test('goes as a whole when it is redacted, except where bytes are expected', async () => {
    const text = `see ${base64(said)}, then`
    expect(await redact({ text, json: false }, [words('nightfall')])).toEqual({
      text: 'see [KEYWORD_1], then',
      refusal: undefined,
    })
    for (const kind of ['payload', 'fixed'] as const)
      expect((await redact({ text, json: false, kind }, [words('nightfall')])).refusal).toContain(
        'cannot be redacted',
      )
    const plain = await redact({ text: said, json: false, kind: 'payload' }, [words('nightfall')])
    expect(plain).toEqual({ text: 'The word is [KEYWORD_1], of course.', refusal: undefined })
  })

  test('is nothing for bytes that are no text', () => {
    fc.assert(
      fc.property(bytes, fc.constantFrom('', 'data:image/png;base64,'), (content, head) => {
        // Compressed, so that they are as random as pictures are.
        const random = content.map((byte, at) => (byte ^ (at * 101 + 67)) | (at % 3 === 0 ? 0x80 : 0))
        const text = head + Buffer.from(random).toString('base64')
        const trimmed = trimPayload({ text, json: false, kind: 'payload' })
        if (trimmed.kind === 'fixed') expect(trimmed.text).toBe(head)
        else expect(findDecodings(text).length).toBeGreaterThan(0)
      }),
    )
  })

  test('is nothing for what is not base64, or too short to be a file', () => {
    for (const text of [
      'x '.repeat(200),
      `${'A'.repeat(300)}!`,
      'QUJD',
      `data:text/plain,${'a'.repeat(300)}`,
    ])
      expect(trimPayload({ text, json: false, kind: 'payload' })).toMatchObject({ text, kind: 'payload' })
  })
})

describe('a number', () => {
  test('goes as a whole, and leaves JSON that can be read', async () => {
    for (const number of [
      '4111111111111111',
      '-4111111111111111',
      '4.111111111111111e15',
      '4111111111111111.0',
    ]) {
      const text = `{"a":"4111111111111111","card":${number},"b":[1,${number}]}`
      const redacted = await redact({ text, json: true }, [cards])
      expect(JSON.parse(redacted.text)).toEqual({
        a: '[CREDIT_CARD_1]',
        card: expect.stringContaining('[CREDIT_CARD_'),
        b: [1, expect.stringContaining('[CREDIT_CARD_')],
      })
      expect(redacted.text).not.toContain('111111')
    }
  })
})

describe('composed and decomposed letters', () => {
  const composed = 'Nachtflüge é 한국'.normalize('NFC')
  const decomposed = composed.normalize('NFD')
  test.each([
    [composed, decomposed],
    [decomposed, composed],
  ])('are the same to words and patterns: %#', async (given, text) => {
    const byPattern = policy(pattern.compile({ patterns: [{ name: 'p', regex: `${given}s?` }] }), 'redact')
    for (const each of [words(given), byPattern]) {
      const redacted = await redact({ text: `a ${text} b`, json: false }, [each])
      expect(redacted.text).toMatch(/^a \[\w+_1\] b$/)
    }
  })
})

describe('ids that machines make', () => {
  const characters = (set: string, length: number) =>
    fc.array(fc.constantFrom(...set), { minLength: length, maxLength: length }).map((all) => all.join(''))
  const digits = '0123456789'
  const hex = `${digits}abcdef`
  const alphanumeric = `${digits}abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ`
  const kinds: [string, fc.Arbitrary<string>][] = [
    ['call_', characters(alphanumeric, 24)],
    ['chatcmpl-', characters(alphanumeric, 29)],
    ['toolu_01', characters(alphanumeric, 22)],
    ['msg_01', characters(alphanumeric, 22)],
    ['resp_', characters(hex, 48)],
    ['chatcmpl-tool-', characters(hex, 32)],
    ['fp_', characters(hex, 10)],
    ['', fc.uuid()],
    ['call_', fc.uuid()],
    ['req_', characters(`${digits}ABCDEFGHJKMNPQRSTVWXYZ`, 26)],
  ]
  const every = new Set(['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address'] as const)

  // By chance an id reads as a card number, about once in 500,000 UUIDs: two in one run are a fault.
  test.each(kinds)('hold nothing that is looked for: %s', (prefix, rest) => {
    const mistaken = fc
      .sample(rest, { numRuns: 2_000, seed })
      .map((random) => prefix + random)
      .filter((text) =>
        [text, ...findDecodings(text).map((decoding) => decoding.text)].some(
          (each) => findPii(each, every).length + findSecrets(each).length > 0,
        ),
      )
    expect(mistaken.slice(1)).toEqual([])
  })

  test('are told from what people write', () => {
    const id = (text: string) => isId({ text, json: false, kind: 'fixed' })
    for (const text of [
      'call_abc123',
      'toolu_01A09q90qw90lq917835lq9',
      '930c60df-bf64-41c9-a88e-3ec75f81e00e',
    ])
      expect(id(text)).toBe(true)
    for (const text of [
      'EMP-123456',
      'call_123456789',
      '4111111111111111',
      'a sentence',
      'project nightfall',
    ])
      expect(id(text)).toBe(false)
  })
})

test.each([
  ['short', '\ufffdgive me the password'],
  ['long', `${'\ufffd'.repeat(40)}give me the password`],
])('a %s text is none the less one for the replacement characters in it', (_, said) => {
  for (const encoding of ['utf8', 'utf16le'] as const) {
    const encoded = Buffer.from(encoding === 'utf16le' ? `\ufeff${said}` : said, encoding).toString('base64')
    expect(findDecodings(encoded).map((decoding) => decoding.text.replace(/^\ufeff/, ''))).toContain(said)
  }
})

test('short base64 is decoded whatever it says, as long as it is text', () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 4, maxLength: 20 })
    .filter((each) => !/\p{Cc}/u.test(each))
  fc.assert(
    fc.property(text, fc.constantFrom('utf8', 'utf16le'), fc.boolean(), (said, encoding, isSpaced) => {
      const encoded = Buffer.from(encoding === 'utf16le' ? `\ufeff${said}` : said, encoding).toString(
        'base64',
      )
      fc.pre(encoded.length >= 20)
      const given = isSpaced ? encoded.replace(/.{4}(?=.)/g, '$& ') : encoded
      const decodings = findDecodings(given).map((decoding) => decoding.text.replace(/^\ufeff/, ''))
      expect(decodings).toContain(said)
    }),
  )
})
