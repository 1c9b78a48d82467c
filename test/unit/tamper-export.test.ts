import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ExportVerifier,
  type ExportVerifierOptions,
} from '../../packages/record/src/verify/export-verifier.js'
import { type FaultKind, UnusableInputError } from '../../packages/record/src/verify/fault.js'
import { exportLines, makeRecord, makeSigningKey } from '../harness/record/export-file.js'
import { propertyRuns } from '../harness/run/property-runs.js'

const key = makeSigningKey()
const stranger = makeSigningKey()
// Groups of 4. Lines: header, entries 1–4, seal, 5–8 (from line 6), seal, 9–12 (from line 11), seal, end.
const record = makeRecord({ groups: [4, 4, 4], keys: [key] })
const lines = exportLines(record, [key])
const later = exportLines(record, [key], { fromGroup: 1 })
const other = exportLines(makeRecord({ groups: [4, 4, 4], keys: [key], tenant: 'other' }), [key])
const rewritten = makeRecord({ groups: [4, 4, 4], keys: [key], draft: () => ({ costNanos: 1 }) })
const at = (place: number, from = lines) => from.at(place) ?? ''

function verify(from: readonly (string | null)[], options: ExportVerifierOptions = {}) {
  const verifier = new ExportVerifier(options)
  for (const line of from) verifier.addLine(line)
  return verifier.finish()
}

const edit = (place: number, change: (line: string) => string, from = lines) =>
  from.with(place, change(at(place, from)))
const change = (place: number, members: object, from = lines) =>
  edit(place, (line) => JSON.stringify({ ...JSON.parse(line), ...members }), from)
const end = (entries: number, seals: number) => ({ entries, seals })

describe('an untouched export', () => {
  test('never fails, however it was grouped, wherever it begins and whoever sealed it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 }),
        fc.nat(8),
        fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
        (groups, fromGroup, turns) => {
          const [first = key, ...rest] = turns.map((turn) => (turn ? key : stranger))
          const made = makeRecord({ groups, keys: [first, ...rest] })
          const report = verify(exportLines(made, [key, stranger], { fromGroup }), {
            pinned: made.groups.slice(fromGroup).map((group) => group.note),
          })
          expect(report).toMatchObject({ fault: null, sealed: report.entries })
        },
      ),
      { numRuns: propertyRuns / 2 },
    )
  })

  test('may be spelt with blanks, in another order of members, or with other line ends', () => {
    const spaced = lines.map((line) => `${JSON.stringify(JSON.parse(line), null, 1).replaceAll('\n', ' ')}\r`)
    const reversed = lines.map((line) =>
      JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).reverse())),
    )
    expect(verify(spaced)).toMatchObject({ fault: null, sealed: 12 })
    expect(verify(reversed)).toMatchObject({ fault: null, sealed: 12 })
  })
})

describe('an export that was tampered with', () => {
  test.each<[string, readonly (string | null)[], FaultKind, number, ExportVerifierOptions?]>([
    // Entries
    ['a byte of an entry', edit(7, (line) => line.replace('Nanos\\":100', 'Nanos\\":101')), 'changed', 6],
    [
      'a byte of the last entry',
      edit(14, (line) => line.replace('Nanos\\":100', 'Nanos\\":101')),
      'bad_root',
      12,
    ],
    ['the number beside an entry', change(7, { seq: 7 }), 'gap', 6],
    ['an entry removed', lines.toSpliced(7, 1), 'gap', 6],
    ['an entry removed and the end put right', change(-2, end(11, 3), lines.toSpliced(7, 1)), 'gap', 6],
    ['an entry repeated', lines.toSpliced(7, 0, at(7)), 'repeat', 6],
    ['two entries swapped', lines.with(7, at(8)).with(8, at(7)), 'gap', 6],
    ['an entry of another tenant', lines.with(7, at(7, other)), 'wrong_tenant', 6],
    [
      'an entry of another record of the same tenant',
      lines.with(7, at(7, exportLines(rewritten, [key]))),
      'broken_prev',
      6,
    ],
    ['a group removed', lines.toSpliced(6, 5), 'gap', 5],
    [
      'a group of another record',
      lines.with(0, at(0)).toSpliced(6, 5, ...exportLines(rewritten, [key]).slice(6, 11)),
      'broken_prev',
      5,
    ],
    ['an entry that is not canonical', edit(7, (line) => line.replace('{\\"', '{ \\"')), 'not_canonical', 6],
    [
      'an entry with a second text',
      edit(7, (line) => line.replace('"canonical"', '"canonical":"{}","canonical"')),
      'malformed_line',
      6,
    ],
    ['an entry with more beside it', change(7, { costNanos: 1 }), 'malformed_line', 6],
    ['an entry without its number', edit(7, (line) => line.replace('"seq":6,', '')), 'malformed_line', 6],
    ['a number that is none', change(7, { seq: '6' }), 'malformed_line', 6],
    // Seals
    ['a seal removed', lines.toSpliced(5, 1), 'miscount', 12],
    [
      'the last seal removed and the end put right',
      change(-1, end(12, 2), lines.toSpliced(15, 1)),
      'unsealed',
      9,
    ],
    [
      'all seals removed and the end put right',
      change(
        -1,
        end(12, 0),
        lines.filter((line) => !line.includes('"seal"')),
      ),
      'unsealed',
      1,
    ],
    ['two seals swapped', lines.with(5, at(10)).with(10, at(5)), 'gap', 5],
    ['a seal before its group', lines.toSpliced(10, 1).toSpliced(6, 0, at(10)), 'gap', 5],
    ['a seal listed under another size', change(10, { size: 7 }), 'misplaced_seal', 7],
    ['a seal of another tenant', lines.with(10, at(10, other)), 'wrong_tenant', 8],
    ['a seal of another record', lines.with(10, at(10, exportLines(rewritten, [key]))), 'bad_root', 8],
    ['a seal that is noise', change(10, { note: 'sealed' }), 'malformed_seal', 8],
    ['a seal over another size', edit(10, (line) => line.replace('\\n8\\n', '\\n9\\n')), 'bad_signature', 8],
    // Keys
    ['no keys', change(0, { keys: { keys: [] } }), 'unknown_key', 4],
    ['another key', change(0, { keys: { keys: [stranger.publicKey.jwk] } }), 'unknown_key', 4],
    [
      'a key under another id',
      change(0, { keys: { keys: [{ ...key.publicKey.jwk, kid: stranger.publicKey.id }] } }),
      'malformed_line',
      1,
    ],
    [
      'all of it sealed anew by another, whose key it lists',
      exportLines(makeRecord({ groups: [4, 4, 4], keys: [stranger] }), [stranger]),
      'unknown_key',
      4,
      { trust: () => [key.publicKey] },
    ],
    [
      'all of it written anew with the stolen key',
      exportLines(rewritten, [key]),
      'bad_root',
      8,
      { pinned: [record.groups[1]?.note ?? ''] },
    ],
    // The header
    ['another tenant', change(0, { tenant: 'other' }), 'broken_prev', 1],
    ['another beginning of the chain', change(0, { prev: '0'.repeat(64) }), 'broken_prev', 1],
    [
      'another beginning of the chain, in the middle',
      change(0, { prev: '0'.repeat(64) }, later),
      'broken_prev',
      5,
    ],
    ['another tree before it', change(0, { frontier: ['0'.repeat(64)] }, later), 'bad_root', 8],
    ['an earlier end', change(0, { toSeq: 11 }), 'miscount', 12],
    ['a later end', change(0, { toSeq: 13 }), 'gap', 13],
    // The file
    ['no end', lines.slice(0, -1), 'cut_off', 13],
    ['half of it', lines.slice(0, 9), 'cut_off', 8],
    ['nothing but the header', lines.slice(0, 1), 'cut_off', 1],
    ['fewer entries in the end line', change(-1, end(11, 3)), 'miscount', 12],
    ['more seals in the end line', change(-1, end(12, 4)), 'miscount', 12],
    [
      'a tail cut off and the ends put right',
      exportLines(record, [key], { toGroup: 2 }),
      'cut_off',
      9,
      { pinned: [record.groups[2]?.note ?? ''] },
    ],
    ['a line of noise', lines.toSpliced(7, 0, 'noise'), 'malformed_line', 6],
    ['an empty line', lines.toSpliced(7, 0, ''), 'malformed_line', 6],
    ['a line that is no text', lines.toSpliced(7, 0, ...[null as unknown as string]), 'malformed_line', 6],
    ['a line of a type that is none', lines.toSpliced(7, 0, '{"type":"comment"}'), 'malformed_line', 6],
    ['a second header', lines.toSpliced(6, 0, at(0)), 'malformed_line', 5],
    ['a second export behind it', [...lines, ...lines], 'malformed_line', 13],
    ['more behind its end', [...lines, at(7)], 'malformed_line', 13],
  ])('is refused, and the place named: %s', (_, from, kind, seq, options) => {
    expect(verify(from, options).fault).toMatchObject({ kind, seq })
  })

  test.each([
    ['a header of another version', change(0, { v: 2 })],
    ['a header that says more', change(0, { note: 'all is well' })],
    ['a tree that does not fit its beginning', change(0, { fromSeq: 3 })],
    ['a key that is none', change(0, { keys: { keys: [{ kty: 'RSA' }] } })],
    ['a tenant that could not have a record', change(0, { tenant: 'a b' })],
    ['no header', lines.slice(1)],
    ['nothing', []],
  ])('is no export at all: %s', (_, from) => {
    expect(() => verify(from)).toThrow(UnusableInputError)
  })
})

describe('whoever has the keys from elsewhere', () => {
  const text = `${lines.join('\n')}\n`
  const trust = () => [key.publicKey]
  const isRefused = (from: readonly (string | null)[]) => {
    try {
      return verify(from, { trust }).fault !== null
    } catch (error) {
      return error instanceof UnusableInputError
    }
  }
  const split = (changed: string) => changed.replace(/\n$/, '').split('\n')

  test('notices any byte that was changed', () => {
    fc.assert(
      fc.property(fc.nat(text.length - 2), fc.integer({ min: 0x20, max: 0x7e }), (place, code) => {
        const byte = String.fromCharCode(code)
        fc.pre(text[place] !== byte)
        expect(isRefused(split(text.slice(0, place) + byte + text.slice(place + 1)))).toBe(true)
      }),
      { numRuns: 10 * propertyRuns },
    )
  })

  test('notices any line that was removed, repeated or moved', () => {
    const place = fc.nat(lines.length - 1)
    fc.assert(
      fc.property(place, place, (from, to) => {
        expect(isRefused(lines.toSpliced(from, 1))).toBe(true)
        expect(isRefused(lines.toSpliced(to, 0, at(from)))).toBe(true)
        if (at(from) !== at(to)) expect(isRefused(lines.with(from, at(to)).with(to, at(from)))).toBe(true)
      }),
    )
  })

  test('notices wherever it was cut off', () => {
    fc.assert(
      fc.property(fc.nat(text.length - 2), (length) => {
        expect(isRefused(split(text.slice(0, length)))).toBe(true)
      }),
    )
  })
})
