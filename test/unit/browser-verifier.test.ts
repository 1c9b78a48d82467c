import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FilesProgress, FilesVerdict } from '../../packages/console/src/verifier/protocol.js'
import { inclusionRanges } from '../../packages/record/src/format/merkle/proof.js'
import { leafHash } from '../../packages/record/src/format/merkle/tree.js'
import { UnusableInputError } from '../../packages/record/src/verify/fault.js'
import { checkFiles } from '../../packages/record/src/verify/files/check-files.js'
import { splitLines } from '../../packages/record/src/verify/files/lines.js'
import { trustKeys } from '../../packages/record/src/verify/files/trusted-keys.js'
import { describeFindings, verdictOf } from '../../packages/record/src/verify/files/verdict.js'
import { verifyReceiptProof } from '../../packages/record/src/verify/verify-proofs.js'
import {
  type BrowserVerifier,
  bundleBrowserVerifier,
  openBrowserVerifier,
} from '../harness/browser/browser-verifier.js'
import { exportLines, makeRecord, makeSigningKey } from '../harness/record/export-file.js'
import { mutationsOf } from '../harness/record/export-mutations.js'
import { naiveRoot } from '../harness/record/naive-tree.js'

const key = makeSigningKey()
const stranger = makeSigningKey()
const record = makeRecord({ groups: [3, 1, 4, 2], keys: [key], draft: (seq) => ({ user: `user ${seq} é` }) })
const lines = exportLines(record, [key])
const whole = Buffer.from(lines.map((line) => `${line}\n`).join(''))
const keys = [{ ...key.publicKey.jwk }]

let browser: BrowserVerifier
beforeAll(async () => {
  browser = await openBrowserVerifier()
})
afterAll(() => browser.close())

interface TestFile {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

const named = (name: string, content: string | Uint8Array): TestFile => ({
  name,
  bytes: new Uint8Array(Buffer.from(content)),
})
const exported = (content: Uint8Array) => named('export.jsonl', content)

const inBrowser = (files: readonly TestFile[], trusted = keys): Promise<FilesVerdict> =>
  browser.verifyFiles({
    files: files.map(({ name, bytes }) => ({ name, content: new Blob([bytes]) })),
    keys: trusted,
    costs: true,
  })

async function* chunksOf(bytes: Uint8Array) {
  yield Buffer.from(bytes)
}

/** What `tallystick verify` says, but for how one gives it what it lacks. */
async function inNode(files: readonly TestFile[], trusted = [key.publicKey], checkpoints: string[] = []) {
  const inputs = files.map(({ name, bytes }) => ({
    name,
    ...splitLines(chunksOf(bytes)),
    shareRead: () => null,
  }))
  const hints = { key: 'in a file beside it', checkpoint: 'chosen together with it' }
  try {
    const findings = await checkFiles(inputs, {
      trusted: trustKeys(trusted),
      checkpoints,
      costs: true,
      hints,
    })
    const isSignerKnown = trusted.length > 0
    return {
      verdict: verdictOf(findings, isSignerKnown),
      findings,
      text: describeFindings(findings, isSignerKnown),
    }
  } catch (error) {
    if (!(error instanceof UnusableInputError)) throw error
    return { verdict: 'unusable', findings: [], text: error.message }
  }
}

describe('an export', () => {
  test('is verified as by the command, in the same words', async () => {
    const verdict = await inBrowser([exported(whole)])
    expect(verdict).toEqual(await inNode([exported(whole)]))
    expect(verdict).toMatchObject({ verdict: 'consistent', findings: [{ fault: null }, { kind: 'costs' }] })
    expect(verdict.text).toContain('10 entries of acme, 1 to 10, are as they were sealed')
    expect(verdict.text).toContain(key.publicKey.id)
  })

  test('may be packed, in parts, without a key, or beside a checkpoint that was kept', async () => {
    expect((await inBrowser([exported(gzipSync(whole))])).text).toBe((await inNode([exported(whole)])).text)
    const parts = [
      named('b.jsonl', exportLines(record, [key], { fromGroup: 2 }).join('\n')),
      named('a.jsonl', exportLines(record, [key], { toGroup: 2 }).join('\n')),
    ]
    expect(await inBrowser(parts)).toEqual(await inNode(parts))
    expect(await inBrowser([exported(whole)], [])).toEqual(await inNode([exported(whole)], []))
    const note = record.groups.at(-1)?.note ?? ''
    const short = named('a.jsonl', exportLines(record, [key], { toGroup: 2 }).join('\n'))
    const cut = await inBrowser([named('kept', note), short])
    expect(cut).toEqual(await inNode([short], [key.publicKey], [note]))
    expect(cut.findings[0]?.fault).toMatchObject({ kind: 'cut_off', seq: 5 })
    expect(await inBrowser([named('kept', note)])).toMatchObject({ verdict: 'unusable' })
  })

  test('by someone else is told from one that was changed', async () => {
    const [file, foreign] = [exported(whole), [{ ...stranger.publicKey.jwk }]]
    const verdict = await inBrowser([file], foreign)
    expect(verdict).toEqual(await inNode([file], [stranger.publicKey]))
    expect(verdict.findings[0]?.fault).toMatchObject({ kind: 'unknown_key', seq: 3 })
  })

  test('that was changed anywhere, in any way, is judged as by the command', async () => {
    const verdicts = new Set<string>()
    await fc.assert(
      fc.asyncProperty(mutationsOf(lines), async (mutate) => {
        const bytes = mutate(whole)
        const verdict = await inBrowser([exported(bytes)])
        expect(verdict).toEqual(await inNode([exported(bytes)]))
        verdicts.add(verdict.findings[0]?.fault?.kind ?? verdict.verdict)
        // Only what is no change, such as two equal lines swapped, is not found.
        if (verdict.verdict !== 'fault' && verdict.verdict !== 'unusable')
          expect(bytes.toString().trimEnd()).toBe(whole.toString().trimEnd())
      }),
    )
    expect(verdicts.size).toBeGreaterThan(6)
  })

  test('is read piece by piece, in little memory, and says how far it is', async () => {
    const tags = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`tag${i}`, 'x'.repeat(200)]))
    const long = makeRecord({ groups: Array(30).fill(130), keys: [key], draft: () => ({ tags }) })
    const content = new Blob([exportLines(long, [key]).join('\n')])
    expect(content.size).toBeGreaterThan(30_000_000)
    const small = await openBrowserVerifier({ maxOldGenerationSizeMb: 16 })
    try {
      const shown: FilesProgress[] = []
      const question = { files: [{ name: 'long.jsonl', content }], keys, costs: false }
      const { verdict } = await small.verifyFiles(question, (progress) => shown.push(progress))
      expect(verdict).toBe('verified')
      expect(shown.length).toBeGreaterThan(2)
      expect(shown.every(({ readBytes, totalBytes }) => readBytes <= totalBytes)).toBe(true)
      expect(shown.map(({ seq }) => seq)).toEqual(shown.map(({ seq }) => seq).toSorted((a, b) => a - b))
    } finally {
      await small.close()
    }
  })
})

describe('a receipt', () => {
  const entries = record.groups.flatMap((group) => group.entries)
  const leaves = entries.map(({ canonical }) => leafHash(canonical))
  const rootOf = (start: number, end: number) => naiveRoot(leaves.slice(start, end)).toString('hex')

  function claimOf(seq: number) {
    const { canonical = '' } = entries[seq - 1] ?? {}
    const leaf = leafHash(canonical).toString('hex')
    const receipt: Record<string, unknown> = { ...JSON.parse(canonical), leafHash: leaf, canonical }
    const size = entries.length
    const path = inclusionRanges(seq - 1, size).map(({ start, end }) => rootOf(start, end))
    const checkpoint = record.groups.at(-1)?.note ?? ''
    const proof: Record<string, unknown> = {
      seq,
      index: seq - 1,
      leafHash: leaf,
      size,
      root: rootOf(0, size),
      path,
      checkpoint,
    }
    return { receipt, proof }
  }

  test('is shown to be in the record, with what is shown of the call', async () => {
    for (let seq = 1; seq <= entries.length; seq++) {
      const claim = claimOf(seq)
      const shown = { costNanos: 100, user: `user ${seq} é` }
      expect(await browser.verifyReceipt({ ...claim, keys, shown })).toEqual({
        ok: true,
        tenant: 'acme',
        seq,
        size: 10,
        hashes: inclusionRanges(seq - 1, 10).length,
        keyIds: [key.publicKey.id],
      })
    }
  })

  test('does not stand for other figures than its own', async () => {
    for (const shown of [{ costNanos: 99 }, { model: 'gpt-4o' }, { user: 'mallory' }])
      expect(await browser.verifyReceipt({ ...claimOf(4), keys, shown })).toEqual({
        ok: false,
        kind: 'changed',
        message: `The receipt shows another ${Object.keys(shown)[0]} than the text that was hashed`,
      })
  })

  test('that was changed, or whose proof was, is refused for the reason that the command gives', async () => {
    async function judge(seq: number, part: 'receipt' | 'proof', name: string, value: unknown) {
      const claim = claimOf(seq)
      claim[part][name] = value
      const verdict = await browser.verifyReceipt({ ...claim, keys })
      const expected = verifyReceiptProof(claim.receipt, claim.proof, [key.publicKey])
      if (!expected.ok) expect(verdict).toEqual(expected)
      expect(verdict.ok).toBe(expected.ok)
      return verdict.ok ? 'ok' : verdict.kind
    }
    const { receipt, proof } = claimOf(1)
    const fields = fc.constantFrom(
      ...Object.keys(receipt).map((name) => ['receipt', name] as const),
      ...Object.keys(proof).map((name) => ['proof', name] as const),
    )
    const other = fc.oneof(fc.jsonValue(), fc.constant('0'.repeat(64)), fc.integer({ min: 0, max: 20 }))
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 10 }),
        fields,
        other,
        async (seq, [part, name], value) => void (await judge(seq, part, name, value)),
      ),
    )
    // One of each kind, whatever was drawn.
    expect(await judge(1, 'receipt', 'costNanos', 99)).toBe('changed')
    expect(await judge(1, 'receipt', 'canonical', '{}')).toBe('not_canonical')
    expect(await judge(1, 'proof', 'root', '0'.repeat(64))).toBe('bad_root')
    expect(await judge(1, 'proof', 'path', 1)).toBe('malformed_proof')
    expect(await judge(1, 'proof', 'checkpoint', '')).toBe('malformed_seal')
    const foreign = [{ ...stranger.publicKey.jwk }]
    expect(await browser.verifyReceipt({ ...claimOf(1), keys: foreign })).toMatchObject({
      kind: 'unknown_key',
    })
  })
})

test('its code needs neither network nor a looser policy than a script of the page itself', async () => {
  const code = await bundleBrowserVerifier()
  expect(code).toContain('verifyReceiptProof')
  expect(code).not.toMatch(
    /\beval\(|new Function\b|WebAssembly|\bimport\(|\bfetch\(|XMLHttpRequest|WebSocket|from ?["']node:/,
  )
  // Every file that went in is named above its part.
  const sources = [...code.matchAll(/^\/\/ (?:\.\.\/)*((?:packages|node_modules)\/.*)$/gm)].map(
    ([, path = '']) => path,
  )
  expect(sources).toContain('packages/record/src/verify/verify-proofs.ts')
  const allowed =
    /^(packages\/record\/src\/|packages\/console\/src\/verifier\/|packages\/sdk\/src\/portable\/|node_modules\/@noble\/)/
  expect(sources.filter((path) => !allowed.test(path))).toEqual([])
})
