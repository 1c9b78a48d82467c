import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { Buffer } from './buffer.js'

// The subset of `node:crypto` that the verifier uses, in plain JavaScript. WebCrypto requires HTTPS and is asynchronous.

type Digest = 'buffer' | 'hex' | 'base64url'
type DigestOf<D extends Digest> = D extends 'buffer' ? ReturnType<typeof Buffer.from> : string

export function hash<D extends Digest>(algorithm: 'sha256', data: string | Uint8Array, digest: D): DigestOf<D>
export function hash(_: 'sha256', data: string | Uint8Array, digest: Digest) {
  const bytes = Buffer.from(sha256(typeof data === 'string' ? Buffer.from(data) : data))
  return digest === 'buffer' ? bytes : bytes.toString(digest)
}

export function createHash(algorithm: 'sha256') {
  const parts: Uint8Array[] = []
  return {
    update(data: string | Uint8Array) {
      parts.push(Buffer.from(data))
      return this
    },
    digest: (digest: 'hex' | 'base64url') => hash(algorithm, Buffer.concat(parts), digest),
  }
}

const { Point } = ed25519
type CurvePoint = InstanceType<typeof Point>

export interface KeyObject {
  bytes: Uint8Array
  /** Null if the bytes are not a point on the curve, in which case no signature verifies. */
  negated: CurvePoint | null
  uses: number
}

export function createPublicKey({ key: { x } }: { key: { x: string }; format: 'jwk' }): KeyObject {
  const bytes = Buffer.from(x, 'base64url')
  return { bytes, negated: readPoint(bytes)?.negate() ?? null, uses: 0 }
}

// A table of multiples costs as much as a dozen verifications and makes each later one four times as fast. An export has thousands of
// signatures by one key, a proof has one.
const usesBeforeTable = 12
const tableWindow = 8

/**
 * Ed25519 with the rules of OpenSSL, which Node uses: R must equal the bytes computed from S and the key. Other rules, such as those of
 * ZIP 215, accept signatures that OpenSSL refuses, and the verdict must not depend on where it is computed.
 */
export function verify(_: null, message: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  if (signature.length !== 64 || key.negated === null) return false
  const r = signature.subarray(0, 32)
  const s = readScalar(signature.subarray(32))
  if (s >= Point.Fn.ORDER) return false
  const k = Point.Fn.create(readScalar(sha512(Buffer.concat([r, key.bytes, message]))))
  if (++key.uses === usesBeforeTable) key.negated.precompute(tableWindow, false)
  const expected = Point.BASE.multiplyUnsafe(s).add(key.negated.multiplyUnsafe(k))
  return Buffer.from(expected.toBytes()).equals(r)
}

function readPoint(bytes: Uint8Array): CurvePoint | null {
  try {
    // Accepts non-canonical encodings, like OpenSSL.
    return Point.fromBytes(bytes, true)
  } catch {
    return null
  }
}

/** Reads a little-endian number. */
function readScalar(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`)
}
