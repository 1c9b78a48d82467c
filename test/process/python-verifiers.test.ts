import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReceiptDraft } from '../../packages/record/src/format/entry.js'
import { consistencyRanges, inclusionRanges } from '../../packages/record/src/format/merkle/proof.js'
import { leafHash } from '../../packages/record/src/format/merkle/tree.js'
import { costNanos, type Price, priceHash } from '../../packages/record/src/pricing/index.js'
import * as sdk from '../../packages/sdk/src/verify/index.js'
import { buildPython } from '../../scripts/sdk/build-python.mjs'
import { findPython, installWheel, pythonPackage } from '../harness/python/environment.js'
import { exportLines, makeRecord, makeSigningKey } from '../harness/record/export-file.js'
import { mutationsOf } from '../harness/record/export-mutations.js'
import { naiveRoot } from '../harness/record/naive-tree.js'
import { variationsOf } from '../harness/record/verifier-inputs.js'

// The verifiers of the Python SDK say what those of the TypeScript SDK say, word for word, of good records and of all kinds of forged ones.

const python = findPython()
const key = makeSigningKey()
const stranger = makeSigningKey()
const price: Price = {
  rates: { input: 150_000, output: 600_000, cached: 75_000 },
  longer: [{ aboveInputTokens: 1_000, rates: { input: 300_000, output: 900_000 } }],
  tiers: { batch: { permille: 500 }, fast: { rates: { input: 1_000_001, output: 3 } } },
  fees: { web_search: 10_000_000_000 },
}
const tiers = [null, 'batch', 'fast', 'batch+fast', 'unknown', 'unknown+batch']

/** Entries of every kind that a check looks at, with a price before the calls that it is for. */
function draft(seq: number): Partial<ReceiptDraft> {
  if (seq === 1) return { kind: 'control', event: 'price.apply', subject: priceHash(price), terms: price }
  if (seq === 5) return { kind: 'control', event: 'receipt.adjust', adjusts: 4, costNanos: -1 }
  if (seq === 8) return { kind: 'control', event: 'record.drop', subject: '1 to 2', by: 'é😀' }
  if (seq === 9)
    return {
      kind: 'control',
      event: 'record.restore',
      subject: '9',
      restore: { sealedSize: 12, keptSize: 8, missingEntries: 4, asked: ['file'] },
    }
  const tier = tiers[seq % tiers.length] ?? null
  const counts = {
    input: seq * 300,
    cached: seq * 7,
    written: seq,
    audioOut: 2,
    output: seq * 11,
    images: seq % 2,
    tools: { web_search: 1, other: seq % 3 },
  }
  return {
    ...{
      counts,
      price: priceHash(price),
      costNanos: costNanos(price, counts, tier),
      user: `user ${seq} é😀"\\`,
    },
    ...(tier !== null && { tier }),
  }
}

const record = makeRecord({ groups: [3, 1, 4, 4], keys: [key], draft })
const lines = exportLines(record, [key])
const whole = Buffer.from(lines.map((line) => `${line}\n`).join(''))
const keys = [{ ...key.publicKey.jwk }]
const strangers = [{ ...stranger.publicKey.jwk }]
const notes = record.groups.map(({ note }) => note)
const entries = record.groups.flatMap((group) => group.entries)

type Case =
  | { kind: 'export'; source: string; keys: object[] | null; checkpoints: string[]; costs: boolean }
  | { kind: 'receipt' | 'consistency' | 'checkpoint'; arguments: unknown[] }

const exported = (bytes: Uint8Array, more: Partial<Case> = {}): Case => ({
  ...{ kind: 'export', source: Buffer.from(bytes).toString('base64'), keys, checkpoints: [], costs: true },
  ...(more as object),
})

/** What the TypeScript SDK says. */
async function sayInTypeScript(each: Case): Promise<unknown> {
  try {
    if (each.kind === 'export') {
      const options = {
        checkpoints: each.checkpoints,
        costs: each.costs,
        ...(each.keys && { keys: each.keys }),
      }
      return await sdk.verifyExport(Buffer.from(each.source, 'base64'), options)
    }
    // biome-ignore lint/suspicious/noExplicitAny: a forged proof has members of any type.
    const given = each.arguments as any[]
    if (each.kind === 'receipt') return sdk.verifyReceipt(given[0], given[1], given[2])
    if (each.kind === 'consistency') return sdk.verifyConsistency(given[0], given[1], given[2])
    return sdk.verifyCheckpoint(given[0], given[1])
  } catch (error) {
    if (error instanceof sdk.UnusableInputError) return 'unusable'
    throw error
  }
}

/** Why gzip cannot be unpacked is said in other words. What is not JSON, such as undefined, is left out. */
const withoutReason = (said: unknown) =>
  JSON.parse(JSON.stringify(said).replace(/(damaged after the end line): [^"]*/, '$1'))

describe.skipIf(python === null && !process.env.CI)('the verifiers in Python', () => {
  let folder: string
  let installed: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tallystick-python-verifiers-'))
    buildPython(folder, python ?? '')
    installed = installWheel(python ?? '', folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Compares what both say, and returns how many of them found no fault. */
  async function compare(given: readonly Case[]): Promise<number> {
    const cases: Case[] = JSON.parse(JSON.stringify(given))
    const { stdout, stderr } = spawnSync(installed, [join(pythonPackage, 'tests/verify_cases.py')], {
      input: cases.map((each) => `${JSON.stringify(each)}\n`).join(''),
      encoding: 'utf8',
      maxBuffer: 1e9,
    })
    expect(stderr).toBe('')
    const said = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    expect(said).toHaveLength(cases.length)
    let good = 0
    for (const [i, each] of cases.entries()) {
      const expected = withoutReason(await sayInTypeScript(each))
      expect(withoutReason(said[i]), JSON.stringify(each)).toEqual(expected)
      if (expected.ok || expected.verdict === 'verified') good++
    }
    return good
  }

  test('agree on an export for every choice of trusted keys and kept checkpoints', async () => {
    const good = await compare([
      exported(whole),
      exported(whole, { checkpoints: notes }),
      exported(whole, { keys: null }),
      exported(whole, { keys: [] }),
      exported(whole, { keys: strangers }),
      exported(whole, { keys: [{ kty: 'EC' }] }),
      exported(whole, { checkpoints: ['x'] }),
      exported(whole, { costs: false }),
      exported(Buffer.from(`${exportLines(record, [key], { fromGroup: 2 }).join('\n')}\n`), {
        checkpoints: notes.slice(2),
      }),
      exported(Buffer.from(`${exportLines(record, [key], { fromGroup: 2 }).join('\n')}\n`), {
        checkpoints: notes,
      }),
      exported(Buffer.from(`${exportLines(record, [key], { toGroup: 2 }).join('\n')}\n`), {
        checkpoints: notes,
      }),
      exported(Buffer.from(`${exportLines(record, [key], { fromGroup: 4 }).join('\n')}\n`)),
      exported(Buffer.from(`${exportLines(record, [key, stranger]).join('\n')}\n`), { keys: null }),
    ])
    expect(good).toBeGreaterThanOrEqual(3)
  })

  test('agree on every form of a file', async () => {
    const variations = variationsOf(lines)
    const good = await compare(variations.map(({ bytes }) => exported(bytes)))
    expect(good).toBe(variations.filter(({ isAccepted }) => isAccepted).length)
  })

  test('agree on whatever was changed', async () => {
    const { seed } = fc.readConfigureGlobal()
    const changed = fc.sample(mutationsOf(lines), { numRuns: 500, ...(seed !== undefined && { seed }) })
    await compare(changed.map((mutate) => exported(mutate(whole), { checkpoints: notes.slice(0, 1) })))
  })

  const leaves = entries.map(({ canonical }) => leafHash(canonical))
  const rootsOf = (ranges: { start: number; end: number }[]) =>
    ranges.map(({ start, end }) => naiveRoot(leaves.slice(start, end)).toString('hex'))
  const proofOf = (index: number, size: number) => ({
    ...{ seq: index + 1, index, size, leafHash: leaves[index]?.toString('hex') },
    root: rootsOf([{ start: 0, end: size }])[0],
    path: rootsOf(inclusionRanges(index, size)),
    checkpoint: notes.find((note) => note.split('\n')[1] === String(size)),
  })
  const receiptOf = (index: number) => {
    const canonical = entries[index]?.canonical ?? ''
    return { ...JSON.parse(canonical), canonical, leafHash: leaves[index]?.toString('hex') }
  }
  const values = [null, 0, 1, 4, 1.5, '', 'x', 'é', true, [], {}, ['00'], ['00'.repeat(32)], [null]]
  const editsOf = (object: object) => [
    ...Object.keys(object).flatMap((name) => values.map((value) => ({ ...object, [name]: value }))),
    ...Object.keys(object).map((name) => ({ ...object, [name]: undefined })),
    { ...object, more: 1 },
  ]

  test('agree on receipts and their proofs', async () => {
    const sizes = [3, 4, 8, 12]
    const pairs = sizes.flatMap((size) =>
      leaves.slice(0, size).map((_, index) => [receiptOf(index), proofOf(index, size)]),
    )
    const [receipt, proof] = [receiptOf(5), proofOf(5, 8)]
    const cases = [
      ...pairs.map((pair) => [...pair, keys]),
      ...pairs.map(([other]) => [other, proof, keys]),
      ...editsOf(receipt).map((edited) => [edited, proof, keys]),
      ...editsOf(proof).map((edited) => [receipt, edited, keys]),
      [receipt, proof, { keys }],
      [receipt, proof, { keys: strangers }],
      [receipt, proof, []],
    ]
    const good = await compare(cases.map((given) => ({ kind: 'receipt', arguments: given })))
    expect(good).toBeGreaterThanOrEqual(pairs.length + 2)
  })

  test('agree on consistency and checkpoints', async () => {
    const consistencyOf = (from: number, to: number) => {
      const [fromRoot, toRoot] = rootsOf([
        { start: 0, end: from },
        { start: 0, end: to },
      ])
      return { from, to, fromRoot, toRoot, path: rootsOf(consistencyRanges(from, to)) }
    }
    const all = leaves.flatMap((_, to) =>
      Array.from({ length: to + 2 }, (_, from) => consistencyOf(from, to + 1)),
    )
    const proof = consistencyOf(4, 12)
    const noteOf = (size: number) => notes.filter((note) => note.split('\n')[1] === String(size))
    const [note = ''] = notes
    const damaged = Array.from(
      note,
      (_, i) => `${note.slice(0, i)}${note[i] === 'A' ? 'B' : 'A'}${note.slice(i + 1)}`,
    )
    const good = await compare([
      ...all.map(
        (each): Case => ({
          kind: 'consistency',
          arguments: [each, [...noteOf(each.from), ...noteOf(each.to)], keys],
        }),
      ),
      ...editsOf(proof).map((each): Case => ({ kind: 'consistency', arguments: [each, noteOf(12), keys] })),
      ...[[], ['x'], notes, noteOf(4)].map(
        (given): Case => ({ kind: 'consistency', arguments: [proof, given, keys] }),
      ),
      ...[
        note,
        `${note}\n`,
        note.replaceAll('acme', 'a b'),
        note.replaceAll('acme', 'other'),
        '',
        '\n\n',
        note.repeat(2),
        ...damaged,
      ].map((text): Case => ({ kind: 'checkpoint', arguments: [text, keys] })),
      { kind: 'checkpoint', arguments: [note, strangers] },
    ])
    expect(good).toBeGreaterThan(30)
  })
})
