import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import type * as proof from '../../packages/record/src/format/merkle/proof.js'
import type * as tree from '../../packages/record/src/format/merkle/tree.js'
import type * as note from '../../packages/record/src/format/signing/note.js'
import type * as publicKey from '../../packages/record/src/format/signing/public-key.js'
import { nodeShims } from '../../packages/sdk/node-shims.mjs'
import thumbprint from '../vectors/jwk-thumbprint.json' with { type: 'json' }
import merkle from '../vectors/merkle.json' with { type: 'json' }
import notes from '../vectors/signed-note.json' with { type: 'json' }

type Format = typeof note & typeof proof & typeof publicKey & typeof tree

let format: Format

beforeAll(async () => {
  const resolveDir = fileURLToPath(new URL('../../packages/record/src/format', import.meta.url))
  const names = ['merkle/proof', 'merkle/tree', 'signing/note', 'signing/public-key']
  const { outputFiles } = await build({
    stdin: { contents: names.map((name) => `export * from './${name}.ts'`).join('\n'), resolveDir },
    alias: nodeShims,
    inject: [nodeShims['node:buffer'] ?? ''],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
  })
  const code = Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')
  format = await import(`data:text/javascript;base64,${code}`)
})

const fromHex = (hash = '') => Buffer.from(hash, 'hex')

test('the tree built for a browser has the roots and proofs of the RFC 6962 vectors', () => {
  const range = format.CompactRange.empty()
  const leaves = merkle.leaves.map((leaf) => format.leafHash(fromHex(leaf)))
  const roots = [range.root()]
  for (const leaf of leaves) {
    range.append(leaf)
    roots.push(range.root())
  }
  expect(roots.map((root) => root.toString('hex'))).toEqual(merkle.roots)
  // Not Node's own by accident.
  expect(roots.some((root) => Buffer.isBuffer(root))).toBe(false)
  const rootAt = (size: number) => fromHex(merkle.roots[size])
  for (const { index, size, proof } of merkle.inclusion) {
    const claim = { index, size, leafHash: leaves[index] ?? fromHex(), root: rootAt(size) }
    expect(format.verifyInclusion({ ...claim, path: proof.map(fromHex) })).toBe(true)
    expect(format.verifyInclusion({ ...claim, path: proof.map(() => rootAt(0)) })).toBe(false)
  }
  for (const { from, to, proof } of merkle.consistency) {
    const claim = { from, to, fromRoot: rootAt(from), toRoot: rootAt(to), path: proof.map(fromHex) }
    expect(format.verifyConsistency(claim)).toBe(true)
    expect(format.verifyConsistency({ ...claim, toRoot: rootAt(from) })).toBe(false)
  }
})

test('notes and keys built for a browser are those of the vectors', () => {
  expect(format.readPublicJwk(thumbprint.jwk).id).toBe(thumbprint.thumbprint)
  expect(notes.notes.length).toBeGreaterThan(0)
  for (const { verifierKey, name, text, signature } of notes.notes) {
    const bytes = Buffer.from(verifierKey.slice(verifierKey.lastIndexOf('+') + 1), 'base64').subarray(1)
    const key = format.readPublicJwk({ kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') })
    const verifiers = [format.createNoteVerifier(name, key)]
    const verdictOn = (text: string) => {
      const parsed = format.parseNote(`${text}\n— ${name} ${signature}\n`)
      return parsed && format.verifyNote(parsed, verifiers)
    }
    expect(verdictOn(text)).toMatchObject({ ok: true })
    expect(verdictOn(`${text}\n`)).toEqual({ ok: false, fault: 'bad_signature' })
  }
})
