import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
import vectors from '../../../../../test/vectors/signed-note.json' with { type: 'json' }
import { readSigningKey, type SigningKey } from '../../../../service/src/record/keys/signing-key.js'
import {
  createNoteVerifier,
  isNoteName,
  type NoteVerdict,
  type NoteVerifier,
  noteKeyId,
  parseNote,
  signNote,
  verifyNote,
} from './note.js'
import { readPublicJwk } from './public-key.js'

function makeKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  return readSigningKey(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), 'A test key')
}

function keyFromSeed(seed: Uint8Array): SigningKey {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  return readSigningKey(key.export({ format: 'pem', type: 'pkcs8' }).toString(), 'A test key')
}

const key = makeKey()
const signer = { name: 'example.com/log', ...key }
const verifier = createNoteVerifier(signer.name, key.publicKey)
const signed = signNote('hello\n', signer)

function openNote(text: string, verifiers: readonly NoteVerifier[]): NoteVerdict | null {
  const note = parseNote(text)
  return note && verifyNote(note, verifiers)
}

// base64 may itself hold a plus: only the first two end a field.
function splitVectorKey(text: string): { id: string; bytes: Buffer } {
  const [, id = '', encoded = ''] = /([0-9a-f]{8})\+(\S+)$/.exec(text) ?? []
  return { id, bytes: Buffer.from(encoded, 'base64') }
}

describe('the vectors', () => {
  test.each(vectors.notes)('hold for the note of $name', ({ verifierKey, name, text, signature }) => {
    const { id, bytes } = splitVectorKey(verifierKey)
    const publicKey = readPublicJwk({
      kty: 'OKP',
      crv: 'Ed25519',
      x: bytes.subarray(1).toString('base64url'),
    })
    expect(noteKeyId(name, publicKey.bytes).toString('hex')).toBe(id)
    const verdict = openNote(`${text}\n— ${name} ${signature}\n`, [createNoteVerifier(name, publicKey)])
    expect(verdict).toMatchObject({ ok: true, text })
  })

  test.each(vectors.signing)('are signed byte for byte by $name', ({ signerKey, name, text, signature }) => {
    const { id, bytes } = splitVectorKey(signerKey)
    const signingKey = keyFromSeed(bytes.subarray(1))
    expect(noteKeyId(name, signingKey.publicKey.bytes).toString('hex')).toBe(id)
    expect(signNote(text, { name, ...signingKey })).toBe(`${text}\n— ${name} ${signature}\n`)
  })
})

describe('a signed note', () => {
  const noteText = fc
    .array(fc.string({ unit: fc.constantFrom('a', ' ', '—', '+', '\n', 'é', '😀') }))
    .map((lines) => `${lines.join('\n')}\n`)

  test('opens to the text that was signed, whatever empty lines and dashes are in it', () => {
    fc.assert(
      fc.property(noteText, (text) => {
        expect(openNote(signNote(text, signer), [verifier])).toEqual({ ok: true, text, signedBy: [verifier] })
      }),
      { numRuns: propertyRuns / 2 },
    )
  })

  test('does not open once any one character is another', () => {
    for (let index = 0; index < signed.length; index++) {
      const replacement = signed[index] === 'A' ? 'B' : 'A'
      const forged = signed.slice(0, index) + replacement + signed.slice(index + 1)
      expect(openNote(forged, [verifier])?.ok ?? false, `character ${index}`).toBe(false)
    }
  })

  test('with a changed text has a bad signature', () => {
    expect(openNote(signed.replace('hello', 'hullo'), [verifier])).toEqual({
      ok: false,
      fault: 'bad_signature',
    })
  })

  test('by a key that is not among the given ones is of an unknown key', () => {
    const others = [createNoteVerifier(signer.name, makeKey().publicKey)]
    expect(openNote(signed, others)).toEqual({ ok: false, fault: 'unknown_key' })
    expect(openNote(signed, [])).toEqual({ ok: false, fault: 'unknown_key' })
  })

  test('by a known key under another name is of an unknown key', () => {
    const renamed = createNoteVerifier('example.com/other', key.publicKey)
    expect(openNote(signed, [renamed])).toEqual({ ok: false, fault: 'unknown_key' })
    const sameIdOtherName = { ...verifier, name: 'example.com/other' }
    expect(openNote(signed, [sameIdOtherName])).toEqual({ ok: false, fault: 'unknown_key' })
  })

  test('by another key that claims the id of a known one has a bad signature', () => {
    const imposter = { ...makeKey(), name: signer.name }
    const forged = signNote('hello\n', { ...imposter, publicKey: key.publicKey })
    expect(openNote(forged, [verifier])).toEqual({ ok: false, fault: 'bad_signature' })
  })

  test('may carry cosignatures of strangers, on either side', () => {
    const stranger = signNote('hello\n', { name: 'witness', ...makeKey() }).slice('hello\n\n'.length)
    expect(openNote(signed + stranger, [verifier])?.ok).toBe(true)
    expect(openNote(signed.replace('\n\n', `\n\n${stranger}`), [verifier])?.ok).toBe(true)
  })

  test('is condemned by one bad signature of a known key beside a good one', () => {
    const other = { name: 'example.com/log', ...makeKey() }
    const bad = signNote('other\n', other).slice('other\n\n'.length)
    const verifiers = [verifier, createNoteVerifier(other.name, other.publicKey)]
    expect(openNote(signed + bad, verifiers)).toEqual({ ok: false, fault: 'bad_signature' })
  })

  test('is told apart by the keys themselves when two share a key id', () => {
    const colliding = { ...verifier, publicKey: makeKey().publicKey }
    expect(openNote(signed, [colliding, verifier])).toMatchObject({ ok: true, signedBy: [verifier] })
  })

  const line = signed.slice('hello\n\n'.length)
  test.each([
    ['nothing', ''],
    ['text alone', 'hello\n'],
    ['no signature', 'hello\n\n'],
    ['no empty line', `hello\n${line}`],
    ['no last newline', signed.slice(0, -1)],
    ['an empty line after the signatures', `${signed}\n`],
    ['a hyphen for the dash', signed.replace('—', '-')],
    ['carriage returns', signed.replaceAll('\n', '\r\n')],
    ['a control character', signed.replace('hello', 'hel\u0000lo')],
    ['a lone surrogate', signed.replace('hello', 'hel\ud800lo')],
    ['two blanks', signed.replace(/ (?=\S+\n$)/, '  ')],
    ['something after the signature', signed.replace(/\n$/, ' x\n')],
    ['no padding', `hello\n\n— ${signer.name} ${Buffer.alloc(5).toString('base64').replaceAll('=', '')}\n`],
    ['base64url', `hello\n\n— ${signer.name} ${Buffer.alloc(69, 0xff).toString('base64url')}\n`],
    ['loose bits in the base64', `hello\n\n— ${signer.name} AAAAAAB=\n`.replace('AAAAAAB=', 'AAAAAAAAAB==')],
    ['a key id and no signature', `hello\n\n— ${signer.name} ${Buffer.alloc(4).toString('base64')}\n`],
    ['a plus in the name', signed.replace('example.com', 'example+com')],
    ['no name', signed.replace(`${signer.name} `, '')],
    ['more signatures than anyone needs', `hello\n\n${line.repeat(101)}`],
  ])('with %s is malformed', (_name, note) => {
    expect(parseNote(note)).toBeNull()
  })
})

describe('signing', () => {
  test.each(['no newline', '', 'control\u0007\n', 'tab\t\n', 'lone \udfff\n'])(
    'refuses the text %j',
    (text) => {
      expect(() => signNote(text, signer)).toThrow(/must end in a newline/)
    },
  )

  test.each(['', 'a b', 'a+b', 'a\u00a0b', 'a\nb', 'a\u2003b', 'a\u0085b', '\ud800'])(
    'refuses the name %j',
    (name) => {
      expect(isNoteName(name)).toBe(false)
      expect(() => signNote('hello\n', { ...signer, name })).toThrow(/cannot sign/)
    },
  )
})
