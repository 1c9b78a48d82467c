import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/harness/run/property-runs.js'
import { readSigningKey, type SigningKey } from '../../../service/src/record/keys/signing-key.js'
import { chainEntries, genesisHead, type RecordHead } from '../format/chain.js'
import { leafHash } from '../format/merkle/tree.js'
import { signCheckpoint } from '../format/signing/checkpoint.js'
import { canonicalize } from '../json/index.js'
import { type RecordReport, RecordVerifier, type RecordVerifierOptions } from './record-verifier.js'

type Line = { seq: number; canonical: string } | { size: number; note: string }

function makeKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  return readSigningKey(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), 'A test key')
}

const key = makeKey()
const stranger = makeKey()

function seal({ tenant, range }: RecordHead, signer = key): Line {
  return { size: range.size, note: signCheckpoint({ tenant, size: range.size, root: range.root() }, signer) }
}

function buildRecord(
  groupSizes: readonly number[],
  { tenant = 'acme', signer = key, from = genesisHead(tenant) } = {},
) {
  const lines: Line[] = []
  let head = from
  for (const count of groupSizes) {
    const drafts = Array.from({ length: count }, (_, index) => ({
      id: `req_${head.range.size + index + 1}`,
      ts: '2026-11-15T01:02:03.004Z',
      kind: 'model' as const,
      costNanos: 100,
    }))
    const group = chainEntries(head, drafts)
    head = group.head
    lines.push(...group.entries.map(({ seq, canonical }) => ({ seq, canonical })), seal(head, signer))
  }
  return { lines, head }
}

function verify(lines: readonly Line[], options: Partial<RecordVerifierOptions> = {}): RecordReport {
  const verifier = new RecordVerifier({ tenant: 'acme', keys: [key.publicKey.jwk], ...options })
  for (const line of lines) {
    if ('note' in line) verifier.addSeal(line)
    else verifier.addEntry(line)
  }
  return verifier.finish()
}

function edit(lines: readonly Line[], seq: number, change: (canonical: string) => string): Line[] {
  return lines.map((line) =>
    'seq' in line && line.seq === seq ? { seq, canonical: change(line.canonical) } : line,
  )
}

function entryAt(lines: readonly Line[], seq: number): { seq: number; canonical: string } {
  for (const line of lines) if ('seq' in line && line.seq === seq) return line
  throw new Error(`No entry ${seq}`)
}

function without(lines: readonly Line[], seq: number): Line[] {
  return lines.filter((line) => !('seq' in line && line.seq === seq))
}

/** What a forger with the database but not the key can do: change one entry and chain the rest to it again. */
function rechain(lines: readonly Line[], seq: number): Line[] {
  let prev: string | undefined
  return lines.map((line) => {
    if ('note' in line || line.seq < seq) return line
    const fields = JSON.parse(line.canonical)
    const canonical = canonicalize(prev === undefined ? { ...fields, costNanos: 1 } : { ...fields, prev })
    prev = leafHash(canonical).toString('hex')
    return { seq: line.seq, canonical }
  })
}

// Groups of 4: entries 1–4, 5–8 and 9–12, each followed by its seal.
const { lines, head } = buildRecord([4, 4, 4])
const cheaper = (canonical: string) => canonical.replace('"costNanos":100', '"costNanos":101')
const otherLines = buildRecord([4, 4, 4], { tenant: 'other' }).lines

describe('an untouched record', () => {
  test('is chained and sealed to its end, however it was grouped', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 5 }), (groups) => {
        const entries = groups.reduce((sum, count) => sum + count, 0)
        const keyIds = entries > 0 ? [key.publicKey.id] : []
        expect(verify(buildRecord(groups).lines)).toEqual({
          fault: null,
          chained: entries,
          sealed: entries,
          keyIds,
        })
      }),
      { numRuns: propertyRuns / 4 },
    )
  })

  test('needs no seal but the last', () => {
    const sparse = lines.filter((line) => 'seq' in line || line.size === 12)
    expect(verify(sparse)).toMatchObject({ fault: null, chained: 12, sealed: 12 })
  })

  test('has a tail that is chained but not sealed when its last seal is still to come', () => {
    expect(verify(lines.slice(0, -1))).toMatchObject({ fault: null, chained: 12, sealed: 8 })
  })

  test('can be checked from its bytes as well as from its text', () => {
    const verifier = new RecordVerifier({ tenant: 'acme', keys: [key.publicKey.jwk] })
    const { canonical } = entryAt(lines, 1)
    expect(verifier.addEntry({ seq: 1, canonical: Buffer.from(canonical) })).toEqual({
      fields: JSON.parse(canonical),
      leafHash: leafHash(canonical),
    })
    expect(verifier.size).toBe(1)
  })

  test('can be checked from the middle on, given the leaf hash and the subtrees before', () => {
    for (const before of [3, 4, 5]) {
      const first = buildRecord([before])
      const rest = buildRecord([4, 3], { from: first.head })
      expect(verify(rest.lines, { start: first.head })).toMatchObject({ fault: null, chained: 7, sealed: 7 })
    }
  })

  test('may be sealed by several keys in turn, each found by its own id', () => {
    const first = buildRecord([2])
    const second = buildRecord([2], { from: first.head, signer: stranger })
    const keys = [stranger.publicKey.jwk, key.publicKey.jwk]
    expect(verify([...first.lines, ...second.lines], { keys })).toMatchObject({
      fault: null,
      sealed: 4,
      keyIds: [key.publicKey.id, stranger.publicKey.id],
    })
  })

  test('may show a seal again, such as a pinned one, where it belongs', () => {
    expect(verify([...lines, seal(head)])).toMatchObject({ fault: null, sealed: 12 })
  })
})

describe('a record that was tampered with', () => {
  const swapped = without(lines, 6).flatMap((line) =>
    'seq' in line && line.seq === 7 ? [line, entryAt(lines, 6)] : [line],
  )
  const tail = buildRecord([4, 4, 4, 4]).lines.slice(-1)
  const brokenPrev = (canonical: string) => canonical.replace(/"prev":"\w{8}/, '"prev":"00000000')

  test.each<[string, Line[], string, number, { chained: number; sealed: number }]>([
    ['a changed byte', edit(lines, 6, cheaper), 'changed', 6, { chained: 5, sealed: 4 }],
    ['a changed byte in the first entry', edit(lines, 1, cheaper), 'changed', 1, { chained: 0, sealed: 0 }],
    [
      'a changed byte before the last of a group',
      edit(lines, 7, cheaper),
      'changed',
      7,
      { chained: 6, sealed: 4 },
    ],
    [
      'a changed byte in the last of a group',
      edit(lines, 8, cheaper),
      'bad_root',
      8,
      { chained: 8, sealed: 4 },
    ],
    [
      'a changed seq',
      edit(lines, 6, (text) => text.replace('"seq":6', '"seq":7')),
      'changed',
      6,
      { chained: 5, sealed: 4 },
    ],
    [
      'a changed version',
      edit(lines, 6, (text) => text.replace('"v":2', '"v":3')),
      'unknown_version',
      6,
      { chained: 5, sealed: 4 },
    ],
    [
      'a changed tenant',
      edit(lines, 6, (text) => text.replace('acme', 'acne')),
      'wrong_tenant',
      6,
      { chained: 5, sealed: 4 },
    ],
    ['a broken prev', edit(lines, 6, brokenPrev), 'broken_prev', 6, { chained: 5, sealed: 4 }],
    [
      'a broken prev in the first entry',
      edit(lines, 1, brokenPrev),
      'broken_prev',
      1,
      { chained: 0, sealed: 0 },
    ],
    [
      'a broken prev right after a seal',
      edit(lines, 5, brokenPrev),
      'broken_prev',
      5,
      { chained: 4, sealed: 4 },
    ],
    [
      'a broken prev in the last of a group',
      edit(lines, 8, brokenPrev),
      'broken_prev',
      8,
      { chained: 7, sealed: 4 },
    ],
    [
      'a broken prev at the very end',
      edit(lines, 12, brokenPrev).slice(0, -1),
      'broken_prev',
      12,
      { chained: 11, sealed: 8 },
    ],
    [
      'a prev that is no text',
      edit(lines, 6, (text) => text.replace(/"prev":"\w+"/, '"prev":1')),
      'broken_prev',
      6,
      { chained: 5, sealed: 4 },
    ],
    [
      'a blank',
      edit(lines, 6, (text) => text.replace(':', ': ')),
      'not_canonical',
      6,
      { chained: 5, sealed: 4 },
    ],
    [
      'half an entry',
      edit(lines, 6, (text) => text.slice(0, 40)),
      'not_canonical',
      6,
      { chained: 5, sealed: 4 },
    ],
    ['an entry that is no object', edit(lines, 6, () => '[]'), 'not_canonical', 6, { chained: 5, sealed: 4 }],
    ['a dropped entry', without(lines, 6), 'gap', 6, { chained: 5, sealed: 4 }],
    ['a dropped last entry of a group', without(lines, 8), 'gap', 8, { chained: 7, sealed: 4 }],
    [
      'a dropped group',
      lines.filter((_, index) => index < 5 || index > 9),
      'gap',
      5,
      { chained: 4, sealed: 4 },
    ],
    [
      'an entry under the number of a dropped one',
      [...lines.slice(0, 6), { ...entryAt(lines, 7), seq: 6 }],
      'gap',
      6,
      { chained: 5, sealed: 4 },
    ],
    ['two entries swapped', swapped, 'gap', 6, { chained: 5, sealed: 4 }],
    ['a repeated entry', [...lines.slice(0, 7), entryAt(lines, 6)], 'repeat', 6, { chained: 6, sealed: 4 }],
    [
      'a repeated entry under a new number',
      [...lines.slice(0, 7), { ...entryAt(lines, 6), seq: 7 }],
      'repeat',
      6,
      { chained: 6, sealed: 4 },
    ],
    ['a tail cut off below a seal', [...lines, ...tail], 'gap', 13, { chained: 12, sealed: 12 }],
    ['an entry chained again', rechain(lines, 6), 'bad_root', 8, { chained: 8, sealed: 4 }],
    [
      'a seal by a key that is not ours',
      [...lines.slice(0, 9), seal(buildRecord([4, 4]).head, stranger)],
      'unknown_key',
      8,
      { chained: 8, sealed: 4 },
    ],
    [
      'a seal by another key under our id',
      [...lines.slice(0, 9), seal(buildRecord([4, 4]).head, { ...stranger, publicKey: key.publicKey })],
      'bad_signature',
      8,
      { chained: 8, sealed: 4 },
    ],
    [
      'a seal that is no note',
      [...lines.slice(0, 9), { size: 8, note: 'sealed, honestly\n' }],
      'malformed_seal',
      8,
      { chained: 8, sealed: 4 },
    ],
    [
      'a seal of another record',
      [...lines.slice(0, 9), ...otherLines.slice(9, 10)],
      'wrong_tenant',
      8,
      { chained: 8, sealed: 4 },
    ],
    [
      'an old seal shown as a new one',
      [...lines.slice(0, 9), { ...seal(buildRecord([4]).head), size: 8 }],
      'misplaced_seal',
      8,
      { chained: 8, sealed: 4 },
    ],
    [
      'an old seal shown late',
      [...lines.slice(0, 9), seal(buildRecord([4]).head)],
      'misplaced_seal',
      4,
      { chained: 8, sealed: 4 },
    ],
    ['the record of another tenant', otherLines, 'wrong_tenant', 1, { chained: 0, sealed: 0 }],
  ])('shows %s', (_name, tampered, kind, seq, counts) => {
    expect(verify(tampered)).toMatchObject({ fault: { kind, seq }, ...counts })
  })

  test('is found out whatever single byte of whatever entry is another', () => {
    const entries = lines.flatMap((line) => ('seq' in line ? [line] : []))
    fc.assert(
      fc.property(
        fc.constantFrom(...entries),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (target, at, flip) => {
          const bytes = Buffer.from(target.canonical)
          const index = at % bytes.length
          bytes.writeUInt8(bytes.readUInt8(index) ^ flip, index)
          const verifier = new RecordVerifier({ tenant: 'acme', keys: [key.publicKey.jwk] })
          for (const line of lines) {
            if ('note' in line) verifier.addSeal(line)
            else verifier.addEntry(line === target ? { seq: line.seq, canonical: bytes } : line)
          }
          const { fault, chained, sealed } = verifier.finish()
          expect(fault?.seq).toBe(target.seq)
          expect(chained).toBeLessThanOrEqual(target.seq)
          expect(sealed).toBeLessThan(target.seq)
        },
      ),
    )
  })

  test('blames the entry after a seal, not the sealed one before, when the rest is chained to it', () => {
    const severed = rechain(edit(lines, 5, brokenPrev), 5)
    expect(verify(severed)).toMatchObject({ fault: { kind: 'broken_prev', seq: 5 }, chained: 4, sealed: 4 })
  })

  test('shows bytes that are not UTF-8, though a lenient reader would take them for text', () => {
    const [before, after] = entryAt(lines, 1).canonical.split('req_1')
    const canonical = Buffer.concat([Buffer.from(`${before}`), Buffer.of(0xff), Buffer.from(`${after}`)])
    const verifier = new RecordVerifier({ tenant: 'acme', keys: [key.publicKey.jwk] })
    expect(verifier.addEntry({ seq: 1, canonical })).toBeNull()
    expect(verifier.fault).toMatchObject({ kind: 'not_canonical', seq: 1 })
  })

  test.each([
    ['gap', 9, 6],
    ['repeat', 3, 3],
  ])('shows a %s when a whole entry is listed under the number %d', (kind, listed, seq) => {
    const mislabelled = [...lines.slice(0, 6), { ...entryAt(lines, 6), seq: listed }]
    expect(verify(mislabelled)).toMatchObject({ fault: { kind, seq }, chained: 5, sealed: 4 })
  })

  test('keeps to its first fault, and accepts nothing after it', () => {
    const verifier = new RecordVerifier({ tenant: 'acme', keys: [key.publicKey.jwk] })
    verifier.addEntry(entryAt(lines, 2))
    expect(verifier.fault).toMatchObject({
      kind: 'gap',
      seq: 1,
      message: 'Entry 1 is missing: entry 2 stands in its place',
    })
    expect(verifier.addEntry(entryAt(lines, 1))).toBeNull()
    expect(verifier.finish()).toMatchObject({ fault: { kind: 'gap', seq: 1 }, chained: 0 })
  })

  test('does not hold from a start with forged subtrees', () => {
    const first = buildRecord([4])
    const forged = { ...first.head, range: buildRecord([4], { tenant: 'other' }).head.range }
    const rest = buildRecord([4], { from: first.head })
    expect(verify(rest.lines, { start: forged })).toMatchObject({
      fault: { kind: 'bad_root', seq: 8 },
      sealed: 0,
    })
  })
})
