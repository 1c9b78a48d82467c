import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consistencyRanges, inclusionRanges } from '../../packages/record/src/format/merkle/proof.js'
import { leafHash } from '../../packages/record/src/format/merkle/tree.js'
import { openVerifierFolder, type VerifierFolder } from '../harness/processes/verifier-folder.js'
import { exportLines, makeRecord, makeSigningKey } from '../harness/record/export-file.js'
import { buildTree } from '../harness/record/naive-tree.js'

const key = makeSigningKey()
const stranger = makeSigningKey()
const record = makeRecord({ groups: [3, 1, 4, 2], keys: [key] })
const lines = exportLines(record, [key])
const entries = record.groups.flatMap((group) => group.entries)
const noteAt = (size: number) => record.groups.find((group) => group.entries.at(-1)?.seq === size)?.note ?? ''
const tree = buildTree(entries.map(({ canonical }) => leafHash(canonical)))

let verifier: VerifierFolder

beforeAll(async () => {
  verifier = await openVerifierFolder()
  await write('export.jsonl', lines)
  await write('jwks.json', JSON.stringify({ keys: [key.publicKey.jwk] }))
  await write('stranger.json', JSON.stringify(stranger.publicKey.jwk))
  await write('note', noteAt(8))
})
afterAll(() => verifier.remove())

const write: VerifierFolder['write'] = (name, content) => verifier.write(name, content)
const run: VerifierFolder['run'] = (args, input) => verifier.run(args, input)
const runJson: VerifierFolder['runJson'] = (args) => verifier.runJson(args)

describe('an export', () => {
  const established = [
    '  10 entries of acme, 1 to 10, are as they were sealed: none changed, missing, repeated or moved',
    `  Signed by ${key.publicKey.id}`,
  ]
  const onlySoFar =
    '  A file cannot show whether there were entries after 10: compare it with a checkpoint that you kept, with --checkpoint'

  test('that is untouched is verified, in words and with 0', async () => {
    expect(await run(['export.jsonl', '--key', 'jwks.json'])).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: ['export.jsonl: verified', ...established, onlySoFar, ''].join('\n'),
    })
  })

  test('is only consistent, with 2, as long as no key is trusted', async () => {
    expect(await run(['export.jsonl'])).toEqual({
      exitCode: 2,
      stderr: '',
      stdout: [
        'export.jsonl: consistent; signer unknown',
        ...established,
        '  These keys come from the file itself, and whoever forges a record lists their own: name those that you trust with --key, from GET /.well-known/tallystick/jwks.json of the service',
        onlySoFar,
        '',
      ].join('\n'),
    })
    expect(await runJson(['export.jsonl', '--checkpoint', 'note'])).toMatchObject({
      exitCode: 2,
      verdict: 'consistent',
      results: [{ fault: null, keysFrom: 'file' }],
    })
  })

  test('can come by the standard input, and packed', async () => {
    const text = lines.map((line) => `${line}\n`).join('')
    expect((await run(['-', '--key', 'jwks.json'], text)).stdout).toContain('standard input: verified')
    expect((await run(['-', '--key', 'jwks.json'], gzipSync(text))).stdout).toContain(
      'standard input: verified',
    )
    await write('export.jsonl.gz', gzipSync(text))
    expect((await run(['export.jsonl.gz', '--key', 'jwks.json'])).exitCode).toBe(0)
    await write('half.gz', gzipSync(text).subarray(0, -40))
    expect(await runJson(['half.gz'])).toMatchObject({
      exitCode: 1,
      results: [{ fault: { kind: 'cut_off' } }],
    })
  })

  test('with a fault is refused with 1, the entry and the kind of fault', async () => {
    await write('changed.jsonl', lines.with(2, lines[2]?.replace('Nanos\\":100', 'Nanos\\":101') ?? ''))
    const { exitCode, stdout } = await run(['changed.jsonl'])
    expect(exitCode).toBe(1)
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'changed.jsonl: FAULT, changed at entry 2',
      '  Entry 2 is not the one that entry 3 was chained to',
      '  Before that, 0 entries of acme are as sealed; entry 1 is chained to them, under no seal that holds',
    ])
    expect(await runJson(['changed.jsonl'])).toMatchObject({
      exitCode: 1,
      verdict: 'fault',
      results: [
        { file: 'changed.jsonl', kind: 'export', fault: { kind: 'changed', seq: 2 }, entries: 1, sealed: 0 },
      ],
    })
  })

  test('without entries is not verified by any key: nothing in it is signed', async () => {
    const header = JSON.stringify({ ...JSON.parse(lines[0] ?? ''), toSeq: 0 })
    await write('wiped.jsonl', [header, '{"type":"end","entries":0,"seals":0}'])
    const { exitCode, stdout } = await run(['wiped.jsonl', '--key', 'jwks.json'])
    expect(exitCode).toBe(2)
    expect(stdout).toContain('wiped.jsonl: consistent; nothing in it is signed')
  })

  test('whose costs rest on a price that it does not have is not verified with --costs', async () => {
    const call = { counts: { input: 10, output: 5 }, price: 'a'.repeat(64), costNanos: 1 }
    const priceless = makeRecord({ groups: [1], keys: [key], draft: () => call })
    await write('priceless.jsonl', exportLines(priceless, [key]))
    expect((await run(['priceless.jsonl', '--key', 'jwks.json'])).exitCode).toBe(0)
    const { exitCode, stdout } = await run(['priceless.jsonl', '--key', 'jwks.json', '--costs'])
    expect(exitCode).toBe(2)
    expect(stdout).toContain('priceless.jsonl: consistent; not every cost can be computed again')
  })

  test('tells scripts all there is to know', async () => {
    expect(await runJson(['export.jsonl', '--key', 'jwks.json', '--checkpoint', 'note'])).toEqual({
      exitCode: 0,
      verdict: 'verified',
      results: [
        {
          file: 'export.jsonl',
          kind: 'export',
          fault: null,
          established: expect.any(Array),
          remarks: [],
          tenant: 'acme',
          fromSeq: 1,
          toSeq: 10,
          entries: 10,
          sealed: 10,
          seals: 4,
          keyIds: [key.publicKey.id],
          keysFrom: 'given',
          exceptions: [],
          exceptionSeqs: [],
        },
      ],
    })
  })

  test('in several parts is one record, in whatever order they are given', async () => {
    await write('a.jsonl', exportLines(record, [key], { toGroup: 2 }))
    await write('b.jsonl', exportLines(record, [key], { fromGroup: 2 }))
    const { exitCode, results } = await runJson([
      'b.jsonl',
      'a.jsonl',
      '--key',
      'jwks.json',
      '--checkpoint',
      'note',
    ])
    expect(exitCode).toBe(0)
    expect(results).toMatchObject([
      { file: 'a.jsonl', toSeq: 4 },
      { file: 'b.jsonl', fromSeq: 5 },
    ])
    const other = makeRecord({ groups: [3, 1, 4, 2], keys: [key], draft: () => ({ costNanos: 1 }) })
    await write('other.jsonl', exportLines(other, [key], { fromGroup: 2 }))
    expect(await runJson(['a.jsonl', 'other.jsonl'])).toMatchObject({
      exitCode: 1,
      results: [{ fault: null }, { fault: { kind: 'broken_prev', seq: 5 } }],
    })
    await write('c.jsonl', exportLines(record, [key], { fromGroup: 3 }))
    expect(await runJson(['a.jsonl', 'c.jsonl'])).toMatchObject({ exitCode: 2, verdict: 'unusable' })
  })
})

describe('keys', () => {
  test('may be a JWKS, a JWK, a PEM file, or the thumbprint of one that the export lists', async () => {
    await write('key.json', JSON.stringify(key.publicKey.jwk))
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.publicKey.bytes])
    await write(
      'key.pem',
      `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`,
    )
    for (const value of ['jwks.json', 'key.json', 'key.pem', key.publicKey.id])
      expect(await runJson(['export.jsonl', '--key', value])).toMatchObject({
        exitCode: 0,
        results: [{ keysFrom: 'given' }],
      })
  })

  test('that are not the ones of the record are told apart from a record that was changed', async () => {
    const dashed = `-${stranger.publicKey.id.slice(1)}`
    for (const value of ['stranger.json', stranger.publicKey.id, dashed])
      expect(await runJson(['export.jsonl', '--key', value])).toMatchObject({
        exitCode: 1,
        results: [
          {
            fault: {
              kind: 'unknown_key',
              seq: 3,
              message: expect.stringContaining('though the entries agree with it'),
            },
          },
        ],
      })
  })

  test('swapped together with every seal are noticed by whoever kept a key or a checkpoint', async () => {
    const forged = exportLines(makeRecord({ groups: [3, 1, 4, 2], keys: [stranger] }), [stranger])
    await write('forged.jsonl', forged)
    expect(await runJson(['forged.jsonl'])).toMatchObject({ exitCode: 2, verdict: 'consistent' })
    for (const args of [
      ['--key', 'jwks.json'],
      ['--checkpoint', 'note'],
    ])
      expect(await runJson(['forged.jsonl', ...args])).toMatchObject({
        exitCode: 1,
        results: [{ fault: { kind: 'unknown_key' } }],
      })
  })
})

describe('a pinned checkpoint', () => {
  test('shows a tail that was cut off', async () => {
    await write('short.jsonl', exportLines(record, [key], { toGroup: 2 }))
    expect(await runJson(['short.jsonl', '--key', 'jwks.json'])).toMatchObject({ exitCode: 0 })
    expect(await runJson(['short.jsonl', '--checkpoint', 'note'])).toMatchObject({
      exitCode: 1,
      results: [{ fault: { kind: 'cut_off', seq: 5 } }],
    })
  })

  test('shows a record that was written anew by someone who has the key', async () => {
    const other = makeRecord({ groups: [3, 1, 4, 2], keys: [key], draft: () => ({ costNanos: 1 }) })
    await write('rewritten.jsonl', exportLines(other, [key]))
    expect(await runJson(['rewritten.jsonl', '--checkpoint', 'note'])).toMatchObject({
      exitCode: 1,
      results: [{ fault: { kind: 'bad_root', seq: 8 } }],
    })
  })

  test('that cannot be held against the export is no answer: 2', async () => {
    const elsewhere = makeRecord({ groups: [8], keys: [key], tenant: 'other' })
    await write('elsewhere', elsewhere.groups[0]?.note ?? '')
    await write('torn', noteAt(8).replace(/[A-Z]/, '!'))
    await write('early', noteAt(3))
    await write('late.jsonl', exportLines(record, [key], { fromGroup: 2 }))
    for (const [file, note] of [
      ['export.jsonl', 'elsewhere'],
      ['export.jsonl', 'torn'],
      ['export.jsonl', 'nowhere'],
      ['late.jsonl', 'early'],
    ] as const)
      expect(await runJson([file, '--checkpoint', note])).toMatchObject({ exitCode: 2, verdict: 'unusable' })
  })
})

describe('a receipt with its proof', () => {
  const hex = (hash: Buffer) => hash.toString('hex')
  const { canonical } = entries[5] ?? { canonical: '' }
  const receipt = { ...JSON.parse(canonical), leafHash: hex(leafHash(canonical)), canonical }
  const proof = {
    seq: 6,
    index: 5,
    leafHash: receipt.leafHash,
    size: 10,
    root: hex(tree.rootsOf([{ start: 0, end: 10 }])[0] ?? Buffer.of()),
    path: tree.rootsOf(inclusionRanges(5, 10)).map(hex),
    checkpoint: noteAt(10),
  }

  async function check(
    { receiptChange = {}, proofChange = {} }: { receiptChange?: object; proofChange?: object },
    args = ['--key', 'jwks.json'],
  ) {
    await write('receipt.json', JSON.stringify({ ...receipt, ...receiptChange }, null, 2))
    await write('proof.json', JSON.stringify({ ...proof, ...proofChange }))
    return await runJson(['proof.json', 'receipt.json', ...args])
  }

  test('is verified against the keys of the service', async () => {
    expect(await check({})).toMatchObject({
      exitCode: 0,
      results: [
        { kind: 'receipt', fault: null, tenant: 'acme', seq: 6, size: 10, keyIds: [key.publicKey.id] },
      ],
    })
  })

  test.each([
    ['a field shown beside the text', { receiptChange: { costNanos: 99 } }, 'changed'],
    ['a field that the text does not have', { receiptChange: { approved: true } }, 'changed'],
    ['the text', { receiptChange: { canonical: canonical.replace('100', '101') } }, 'changed'],
    ['a text that is not canonical', { receiptChange: { canonical: ` ${canonical}` } }, 'not_canonical'],
    ['the leaf hash', { receiptChange: { leafHash: proof.root } }, 'changed'],
    ['the place', { proofChange: { seq: 7, index: 6 } }, 'bad_root'],
    ['the size', { proofChange: { size: 9 } }, 'bad_root'],
    ['the root', { proofChange: { root: receipt.leafHash } }, 'bad_root'],
    ['a hash of the path', { proofChange: { path: proof.path.with(1, receipt.leafHash) } }, 'bad_root'],
    ['a path that is cut', { proofChange: { path: proof.path.slice(1) } }, 'bad_root'],
    ['a path that is none', { proofChange: { path: ['xyz'] } }, 'malformed_proof'],
    ['the checkpoint of another size', { proofChange: { checkpoint: noteAt(8) } }, 'bad_root'],
    [
      'the signature',
      { proofChange: { checkpoint: noteAt(10).replace('\n10\n', '\n11\n') } },
      'bad_signature',
    ],
    ['a checkpoint that is none', { proofChange: { checkpoint: 'trust me' } }, 'malformed_seal'],
  ])('is refused when it was changed: %s', async (_, change, kind) => {
    expect(await check(change)).toMatchObject({ exitCode: 1, results: [{ fault: { kind, seq: 6 } }] })
  })

  test.each([
    ['the receipt', 'receipt.json', '"costNanos":99'],
    ['the text that was hashed', 'receipt.json', '"canonical":"{}"'],
    ['the proof', 'proof.json', '"size":9'],
  ])(
    'is no answer when a member of %s stands twice: others may read the other one',
    async (_, file, member) => {
      await check({})
      const text = JSON.stringify(file === 'proof.json' ? proof : receipt)
      await write(file, text.replace('{', `{${member},`))
      const { exitCode, stderr } = await run(['receipt.json', 'proof.json', '--key', 'jwks.json'])
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringContaining(`${file}: cannot be read in one way: `),
      })
      expect(stderr).toContain('occurs twice')
    },
  )

  test('under another key is told apart from one that was changed', async () => {
    expect(await check({}, ['--key', 'stranger.json'])).toMatchObject({
      exitCode: 1,
      results: [{ fault: { kind: 'unknown_key' } }],
    })
  })

  test('is no answer without its other half, or without a key', async () => {
    expect(await check({}, [])).toMatchObject({ exitCode: 2 })
    expect(await runJson(['receipt.json', '--key', 'jwks.json'])).toMatchObject({ exitCode: 2 })
    expect(await runJson(['proof.json', '--key', 'jwks.json'])).toMatchObject({ exitCode: 2 })
  })

  test('that the record only grew is shown by a consistency proof and the checkpoints it speaks of', async () => {
    const [fromRoot, toRoot] = tree.rootsOf([8, 10].map((end) => ({ start: 0, end }))).map(hex)
    const growth = {
      from: 8,
      to: 10,
      fromRoot,
      toRoot,
      path: tree.rootsOf(consistencyRanges(8, 10)).map(hex),
    }
    await write('growth.json', JSON.stringify(growth))
    await write('newest', noteAt(10))
    const args = ['growth.json', '--key', 'jwks.json', '--checkpoint', 'note']
    expect(await runJson(args)).toMatchObject({ exitCode: 0, results: [{ remarks: [expect.any(String)] }] })
    expect(await runJson([...args, '--checkpoint', 'newest'])).toMatchObject({
      exitCode: 0,
      results: [{ from: 8, to: 10, remarks: [] }],
    })
    await write('growth.json', JSON.stringify({ ...growth, path: growth.path.toReversed().slice(1) }))
    expect(await runJson(args)).toMatchObject({ exitCode: 1, results: [{ fault: { kind: 'bad_root' } }] })
    await write('growth.json', JSON.stringify({ ...growth, fromRoot: toRoot }))
    expect(await runJson(args)).toMatchObject({ exitCode: 1, results: [{ fault: { kind: 'bad_root' } }] })
    expect((await run(['growth.json', '--key', 'jwks.json'])).exitCode).toBe(2)
  })
})

describe('what is no question', () => {
  test.each([
    [[], 'verify needs a FILE'],
    [['--colour', 'export.jsonl'], "Unknown option '--colour'"],
    [['-', '-'], 'There is only one standard input'],
    [['nowhere.jsonl'], 'nowhere.jsonl: cannot be read (ENOENT)'],
    [['.'], '.: cannot be read (EISDIR)'],
    [['jwks.json'], 'jwks.json: is neither an export nor a receipt'],
    [['note'], 'note: is neither an export nor a receipt'],
    [['export.jsonl', '--key', 'nowhere'], '--key nowhere is neither a thumbprint nor a file'],
    [['export.jsonl', '--key', 'note'], '--key note contains no Ed25519 public key'],
  ])('%j is refused with 2 and words', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr.startsWith(message)).toBe(true)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  test('an empty file, noise, and a line without end are refused too', async () => {
    await write('empty', '')
    await write('noise', Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80]))
    expect((await run(['empty'])).exitCode).toBe(2)
    expect((await run(['noise'])).exitCode).toBe(2)
    const child = spawn(process.execPath, [verifier.program, '-'], { stdio: ['pipe', 'ignore', 'pipe'] })
    const block = Buffer.alloc(1024 * 1024, 'x')
    child.stdin.on('error', () => undefined)
    for (let written = 0; written < 70; written++) child.stdin.write(block)
    child.stdin.end()
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2)
  })
})

test('the folder holds nothing but the verifier, and imports nothing but Node', async () => {
  const names = (await readdir(dirname(verifier.program), { recursive: true })).sort()
  expect(names).toEqual(['package.json', 'tallystick-verify.js'])
  const program = await readFile(verifier.program, 'utf8')
  const imports = [...program.matchAll(/\bfrom "([^"]+)"|\b(?:import|require)\("([^"]+)"\)/g)]
  expect(imports.length).toBeGreaterThan(5)
  expect(imports.filter(([, from, called]) => !(from ?? called)?.startsWith('node:'))).toEqual([])
  // Every file that went in is named above its part.
  const sources = [...program.matchAll(/^\/\/ (packages\/.*)$/gm)].map(([, path = '']) => path)
  expect(sources).toContain('packages/service/src/main/cli/verify/main.ts')
  const allowed =
    /^packages\/(record\/src|service\/src\/main\/cli)\/|^packages\/service\/src\/shared\/error-code\.ts$/
  expect(sources.filter((path) => !allowed.test(path))).toEqual([])
})

test('memory does not grow with the file', async () => {
  // 150,000 entries, about 75 MB; a heap of 40 MB would not hold half of them.
  const long = makeRecord({ groups: Array(75).fill(2_000), keys: [key] })
  await write('long.jsonl', exportLines(long, [key]))
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=40', verifier.program, 'long.jsonl', '--key', 'jwks.json', '--json'],
    {
      cwd: verifier.filesDir,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ results: [{ entries: 150_000, sealed: 150_000 }] })
})
