import { describe, expect, test } from 'vitest'
import { findPii, findSecrets, type PiiEntity } from './index.js'

const every = new Set<PiiEntity>(['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address'])

/** Whether this part of a text is found, and no letter or mark beside it. A country's own digit may belong to it. */
function isFound(text: string, value: string): boolean {
  const start = text.indexOf(value)
  return [...findPii(text, every), ...findSecrets(text)].some(
    (finding) =>
      finding.end === start + value.length &&
      /^(?:1[ .–-])?$/.test(text.slice(finding.start, start).normalize('NFKC')),
  )
}

/** Every character of ASCII that is no letter and no digit, and some of every other kind. */
const marks = [
  ...Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code)).filter(
    (each) => !/[A-Za-z0-9]/.test(each),
  ),
  ...[
    'é',
    '公',
    'ж',
    '“',
    '…',
    '–',
    '—',
    '🙂',
    '\u00a0',
    '\u0085',
    '\u200b',
    '\u2028',
    '\u3000',
    '\ufff9',
    '\ufffd',
    '\ud800',
  ],
]

/** What follows a value; before it, the same the other way round. */
const sides = marks.flatMap((mark) => [mark, `${mark}ab`, `${mark}1`])
const reverse = (text: string) => [...text].reverse().join('')

/**
 * With these beside them, values are something else: part of a longer number, a percentage, an amount, a version, part of a path.
 */
const values: [name: string, value: string, after: RegExp, before: RegExp][] = [
  ['a card', '4111111111111111', /^[-–._]1/, /1[-–._]$/],
  ['a card in groups', '4111 1111 1111 1111', /^[-–._]1/, /1[-–._]$/],
  ['a social security number', '536-22-8726', /^[-–.]1/, /1[-–.]$|(?:^|1)\+$/],
  ['a phone number', '+14155550132', /^[-–./_]1|^%|^[-–/]a/, /1_$|\+$/],
  ['a national phone number', '415-555-0132', /^[-–./_]1|^%|^[-–/]a/, /1[/_]$|a\/$|\$$|(?:^|1)\+$/],
  ['an account', 'DE89370400440532013000', /^\b$/, /1_$/],
  ['an IP address', '203.0.113.77', /^[._]1|^[-–+]a/, /1[._]$|a[-–]$|[a1]\/$|[\^~]$/],
  ['a key', 'AKIAQ3EGUZ5TXPJ7NK4D', /^_/, /^\b$/],
]

describe.each(values)('%s is found', (_, value, after, before) => {
  test.each(sides)('before %j', (side) => {
    expect(isFound(value + side, value)).toBe(!after.test(side.normalize('NFKC')))
  })
  test.each(sides.map(reverse))('after %j', (side) => {
    expect(isFound(side + value, value)).toBe(!before.test(side.normalize('NFKC')))
  })
})

test('nothing is found in the middle of a word, or of a longer number', () => {
  for (const [, value] of values)
    for (const text of [`a${value}`, `${value}a`, `1${value}`, `${value}1`])
      expect(isFound(text, value)).toBe(false)
})
