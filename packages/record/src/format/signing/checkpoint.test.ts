import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSigningKey } from '../../../../service/src/record/keys/signing-key.js'
import {
  checkpointOrigin,
  createCheckpointVerifiers,
  formatCheckpoint,
  parseCheckpoint,
  signCheckpoint,
  verifyCheckpoint,
} from './checkpoint.js'
import { signNote } from './note.js'

const { privateKey } = generateKeyPairSync('ed25519')
const key = readSigningKey(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), 'A test key')
const verifiers = createCheckpointVerifiers('acme', [key.publicKey])
const root = Buffer.alloc(32, 7)
const encodedRoot = root.toString('base64')

describe('a checkpoint', () => {
  test('is three lines: origin, size, root', () => {
    expect(formatCheckpoint({ origin: 'tallystick/acme', size: 42, root })).toBe(
      'tallystick/acme\n42\nBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=\n',
    )
  })

  test('is read back as it was written', () => {
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(fc.maxSafeNat(), hash, (size, anyRoot) => {
        const checkpoint = { origin: 'tallystick/acme', size, root: anyRoot }
        expect(parseCheckpoint(formatCheckpoint(checkpoint))).toEqual(checkpoint)
      }),
    )
  })

  test.each([
    ['a leading zero', `o\n01\n${encodedRoot}\n`],
    ['a sign', `o\n+1\n${encodedRoot}\n`],
    ['an exponent', `o\n1e3\n${encodedRoot}\n`],
    ['a size past the safe integers', `o\n9007199254740992\n${encodedRoot}\n`],
    ['no size', `o\n\n${encodedRoot}\n`],
    ['no origin', `\n1\n${encodedRoot}\n`],
    ['a short root', `o\n1\n${root.subarray(1).toString('base64')}\n`],
    ['a root without padding', `o\n1\n${encodedRoot.replace('=', '')}\n`],
    ['a root with loose bits', `o\n1\n${encodedRoot.replace('wc=', 'wd=')}\n`],
    ['an extension line', `o\n1\n${encodedRoot}\nmore\n`],
    ['no last newline', `o\n1\n${encodedRoot}`],
    ['an empty line after it', `o\n1\n${encodedRoot}\n\n`],
  ])('with %s is refused', (_name, text) => {
    expect(parseCheckpoint(text)).toBeNull()
  })

  test.each([-1, 1.5, Number.NaN, 2 ** 53])('is not written for the size %d', (size) => {
    expect(() => formatCheckpoint({ origin: 'o', size, root })).toThrow(RangeError)
  })

  test.each(['', 'a b', 'a+b', 'a\nb'])('cannot be for a tenant named %j', (tenant) => {
    expect(() => checkpointOrigin(tenant)).toThrow(/cannot have a record/)
  })
})

describe('a signed checkpoint', () => {
  const note = signCheckpoint({ tenant: 'acme', size: 42, root }, key)

  test('verifies under the key whose note name is the origin', () => {
    expect(note).toContain('\n— tallystick/acme ')
    expect(verifyCheckpoint(note, 'acme', verifiers)).toEqual({
      ok: true,
      checkpoint: { origin: 'tallystick/acme', size: 42, root },
      keyIds: [key.publicKey.id],
    })
  })

  test('of one tenant is not one of another, though the key is the same', () => {
    const others = createCheckpointVerifiers('other', [key.publicKey])
    expect(verifyCheckpoint(note, 'other', others)).toEqual({ ok: false, fault: 'wrong_origin' })
    const renamed = note.replaceAll('tallystick/acme', 'tallystick/other')
    expect(verifyCheckpoint(renamed, 'other', others)).toEqual({ ok: false, fault: 'unknown_key' })
  })

  test('with another size has a bad signature', () => {
    expect(verifyCheckpoint(note.replace('\n42\n', '\n43\n'), 'acme', verifiers)).toEqual({
      ok: false,
      fault: 'bad_signature',
    })
  })

  test('must be a checkpoint, not any text that the key has signed', () => {
    const other = signNote('hello\n', { name: 'tallystick/acme', ...key })
    expect(verifyCheckpoint(other, 'acme', verifiers)).toEqual({ ok: false, fault: 'malformed' })
  })
})
