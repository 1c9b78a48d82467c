import { generateKeyPairSync } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadOrCreateSigningKey } from './signing-key.js'

let dataDir: string
let keyPath: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'signing-key-'))
  keyPath = join(dataDir, 'signing-key.pem')
})

afterEach(async () => {
  await rm(dataDir, { recursive: true })
})

const ed25519 = generateKeyPairSync('ed25519')
const pem = ed25519.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
const publicPem = ed25519.publicKey.export({ format: 'pem', type: 'spki' }).toString()
const ecPem = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ format: 'pem', type: 'pkcs8' })
  .toString()
const encryptedPem = ed25519.privateKey
  .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' })
  .toString()

describe('without a configured key', () => {
  test('the first start makes one that only its owner may read, and leaves nothing else behind', async () => {
    await loadOrCreateSigningKey({ dataDir, configured: null })
    expect((await stat(keyPath)).mode & 0o777).toBe(0o600)
    expect(await readdir(dataDir)).toEqual(['signing-key.pem'])
  })

  test('every later start finds the same key', async () => {
    const first = await loadOrCreateSigningKey({ dataDir, configured: null })
    const second = await loadOrCreateSigningKey({ dataDir, configured: null })
    expect(second.publicKey.jwk).toEqual(first.publicKey.jwk)
    const message = Buffer.from('message')
    expect(second.publicKey.verify(message, first.sign(message))).toBe(true)
  })

  test('starts at the same moment agree on one key', async () => {
    const starts = Array.from({ length: 8 }, () => loadOrCreateSigningKey({ dataDir, configured: null }))
    const ids = (await Promise.all(starts)).map((key) => key.publicKey.id)
    expect(new Set(ids).size).toBe(1)
    expect(await readdir(dataDir)).toEqual(['signing-key.pem'])
  })

  test('a data directory that does not exist yet is made', async () => {
    const nested = join(dataDir, 'a', 'b')
    await loadOrCreateSigningKey({ dataDir: nested, configured: null })
    expect(await readdir(nested)).toEqual(['signing-key.pem'])
  })

  test.each([0o640, 0o604, 0o620])('a kept key with mode %o is refused, and left as it is', async (mode) => {
    await writeFile(keyPath, pem)
    await chmod(keyPath, mode)
    await expect(loadOrCreateSigningKey({ dataDir, configured: null })).rejects.toThrow(/open to other users/)
    expect((await stat(keyPath)).mode & 0o777).toBe(mode)
  })

  test('a damaged key is reported, not replaced', async () => {
    await writeFile(keyPath, 'not a key', { mode: 0o600 })
    await expect(loadOrCreateSigningKey({ dataDir, configured: null })).rejects.toThrow(
      /not an unencrypted private key/,
    )
    expect(await readFile(keyPath, 'utf8')).toBe('not a key')
  })
})

describe('with a configured key', () => {
  test('PEM text and the path of a PEM file give the same key, and nothing is written', async () => {
    const fromText = await loadOrCreateSigningKey({ dataDir, configured: pem })
    expect(await readdir(dataDir)).toEqual([])
    const path = join(dataDir, 'mounted.pem')
    await writeFile(path, pem, { mode: 0o640 })
    const fromPath = await loadOrCreateSigningKey({ dataDir, configured: path })
    expect(fromPath.publicKey.id).toBe(fromText.publicKey.id)
    expect(await readdir(dataDir)).toEqual(['mounted.pem'])
  })

  test.each([
    ['a public key', publicPem, /is a public key; signing needs the private one/],
    ['a key of another kind', ecPem, /is of type ec; it must be Ed25519/],
    ['an encrypted key', encryptedPem, /not an unencrypted private key/],
    ['a damaged key', pem.replace(/M[CD]/, '!!'), /not an unencrypted private key/],
    ['a path to nothing', '/nowhere/key.pem', /neither PEM text nor the path of a readable file \(ENOENT\)/],
    ['a folder', tmpdir(), /readable file \(EISDIR\)/],
  ])('%s is refused in words', async (_name, configured, message) => {
    await expect(loadOrCreateSigningKey({ dataDir, configured })).rejects.toThrow(message)
  })

  test('a secret pasted without its first line does not end up in the error', async () => {
    const bare = pem.split('\n')[1] ?? ''
    const error = await loadOrCreateSigningKey({ dataDir, configured: bare }).catch(
      (reason: unknown) => reason,
    )
    expect(String(error)).toMatch(/neither PEM text/)
    expect(String(error)).not.toContain(bare)
  })
})
