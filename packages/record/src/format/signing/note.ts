import { hash } from 'node:crypto'
import type { PublicKey } from './public-key.js'

// C2SP signed note (c2sp.org/signed-note): a text, an empty line, and one line per signature,
// `— <name> <base64(key id ‖ signature)>`. Ed25519 only.

const SIGNATURE_PREFIX = '— '
const ED25519 = 0x01
const KEY_ID_BYTES = 4
// Notes come from untrusted sources. A note with more signatures is refused, because checking them takes time.
const MAX_SIGNATURES = 100

// Everything but a newline and printable, whole code points.
const FORBIDDEN_IN_NOTE = /[^\n\x20-\ud7ff\ue000-\u{10ffff}]/u
const VALID_NAME = /^[^\s\p{White_Space}+]+$/u

export interface NoteSigner {
  name: string
  publicKey: PublicKey
  sign(message: Uint8Array): Uint8Array
}

export interface NoteVerifier {
  name: string
  keyId: Buffer
  publicKey: PublicKey
}

export interface NoteSignature {
  name: string
  keyId: Buffer
  signature: Buffer
}

export interface Note {
  /** The signed text, including its last newline. */
  text: string
  signatures: NoteSignature[]
}

export type NoteFault = 'malformed' | 'unknown_key' | 'bad_signature'

export type NoteVerdict =
  | { ok: true; text: string; signedBy: NoteVerifier[] }
  | { ok: false; fault: NoteFault }

export function isNoteName(name: string): boolean {
  return VALID_NAME.test(name) && !FORBIDDEN_IN_NOTE.test(name)
}

export function noteKeyId(name: string, publicKey: Uint8Array): Buffer {
  const message = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), publicKey])
  return hash('sha256', message, 'buffer').subarray(0, KEY_ID_BYTES)
}

export function createNoteVerifier(name: string, publicKey: PublicKey): NoteVerifier {
  return { name, keyId: noteKeyId(name, publicKey.bytes), publicKey }
}

export function signNote(text: string, signer: NoteSigner): string {
  if (!isNoteName(signer.name))
    throw new Error(`"${signer.name}" cannot sign a note: blank or plus in the name`)
  if (!text.endsWith('\n') || FORBIDDEN_IN_NOTE.test(text)) {
    throw new Error('The text of a note must end in a newline and hold no other control characters')
  }
  const keyId = noteKeyId(signer.name, signer.publicKey.bytes)
  const signature = Buffer.concat([keyId, signer.sign(Buffer.from(text))]).toString('base64')
  return `${text}\n${SIGNATURE_PREFIX}${signer.name} ${signature}\n`
}

/** Parses a note without checking any signature. Null when it is not a note. */
export function parseNote(note: string): Note | null {
  // The text may contain empty lines and dashes: the last empty line separates it from the signatures.
  const split = note.lastIndexOf('\n\n')
  if (split < 0 || !note.endsWith('\n') || FORBIDDEN_IN_NOTE.test(note)) return null
  const lines = note.slice(split + 2, -1).split('\n')
  if (lines.length > MAX_SIGNATURES) return null
  const signatures = lines.map(parseSignature).filter((signature) => signature !== null)
  return signatures.length === lines.length ? { text: note.slice(0, split + 1), signatures } : null
}

function parseSignature(line: string): NoteSignature | null {
  if (!line.startsWith(SIGNATURE_PREFIX)) return null
  const [name = '', encoded = '', ...rest] = line.slice(SIGNATURE_PREFIX.length).split(' ')
  const bytes = decodeBase64(encoded)
  if (rest.length > 0 || !isNoteName(name) || bytes === null || bytes.length <= KEY_ID_BYTES) return null
  return { name, keyId: bytes.subarray(0, KEY_ID_BYTES), signature: bytes.subarray(KEY_ID_BYTES) }
}

/**
 * Signatures by unknown keys are ignored, since others may have cosigned. One bad signature under the name and id of a
 * known key makes the whole note invalid.
 */
export function verifyNote(note: Note, verifiers: readonly NoteVerifier[]): NoteVerdict {
  const message = Buffer.from(note.text)
  const signedBy = new Set<NoteVerifier>()
  for (const { name, keyId, signature } of note.signatures) {
    const candidates = verifiers.filter((each) => each.name === name && each.keyId.equals(keyId))
    if (candidates.length === 0) continue
    // Four bytes of key id can collide by accident; one matching candidate is enough.
    const signer = candidates.find((each) => each.publicKey.verify(message, signature))
    if (signer === undefined) return { ok: false, fault: 'bad_signature' }
    signedBy.add(signer)
  }
  if (signedBy.size === 0) return { ok: false, fault: 'unknown_key' }
  return { ok: true, text: note.text, signedBy: [...signedBy] }
}

/** Decodes base64 with the standard alphabet and padding. Null for anything but the canonical text of a value. */
export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}
