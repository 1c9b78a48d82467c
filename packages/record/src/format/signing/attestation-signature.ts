import type { PublicKey } from './public-key.js'

// The signature covers every member of an attestation except `signature`, so that none can be changed unnoticed, including those that
// cannot be confirmed by an export.

export interface AttestationSignature {
  /** Thumbprint of the key. */
  keyId: string
  /** Ed25519, in base64. */
  value: string
}

interface Signer {
  publicKey: PublicKey
  sign(message: Uint8Array): Uint8Array
}

export function signAttestation(attestation: object, { publicKey, sign }: Signer): AttestationSignature {
  return { keyId: publicKey.id, value: Buffer.from(sign(signedBytes(attestation))).toString('base64') }
}

export type AttestationSignatureFault = 'missing' | 'unknown_key' | 'bad_signature'

/** Returns null when the signature is valid and was made by one of the keys. */
export function checkAttestationSignature(
  attestation: object,
  keys: readonly PublicKey[],
): AttestationSignatureFault | null {
  const { signature }: { signature?: unknown } = attestation
  if (!isSignature(signature)) return 'missing'
  const key = keys.find(({ id }) => id === signature.keyId)
  if (!key) return 'unknown_key'
  const value = Buffer.from(signature.value, 'base64')
  // Only the canonical base64 of a signature is accepted.
  const isCanonicalBase64 = value.toString('base64') === signature.value
  return isCanonicalBase64 && key.verify(signedBytes(attestation), value) ? null : 'bad_signature'
}

const isSignature = (value: unknown): value is AttestationSignature =>
  typeof value === 'object' &&
  value !== null &&
  'keyId' in value &&
  typeof value.keyId === 'string' &&
  'value' in value &&
  typeof value.value === 'string'

// The text cannot be confused with a checkpoint, whose second line is a number.
function signedBytes(attestation: object): Buffer {
  const { signature: _, ...signed }: { signature?: unknown } = attestation
  return Buffer.from(`tallystick/attestation/1\n${JSON.stringify(sortMembers(signed))}`)
}

/** Sorts members in the order of RFC 8785. JSON.stringify then writes its form, because percentages are the only fractions. */
function sortMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortMembers)
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sortMembers(member)]),
  )
}
