import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { Buffer } from './buffer.js'

// As much of `node:crypto` as the verifier uses, in plain JavaScript: WebCrypto is there only over HTTPS, and answers later.

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
  /** Null where the bytes are no point of the curve: nothing verifies with it. */
  negated: CurvePoint | null
  uses: number
}

export function createPublicKey({ key: { x } }: { key: { x: string }; format: 'jwk' }): KeyObject {
  const bytes = Buffer.from(x, 'base64url')
  return { bytes, negated: readPoint(bytes)?.negate() ?? null, uses: 0 }
}

// A table of multiples costs as much as a dozen signatures, and makes each of the others four times as fast. An export
// has thousands by one key, a proof has one.
const usesBeforeTable = 12
const tableWindow = 8

/**
 * Ed25519 as OpenSSL verifies it, which Node uses: R must be the very bytes that S and the key come to. Other rules, such as those of
 * ZIP 215, accept signatures that this one refuses, and a verdict must not depend on where it was made.
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
    // As OpenSSL reads them: also those that are not written in the one canonical way.
    return Point.fromBytes(bytes, true)
  } catch {
    return null
  }
}

/** Little-endian. */
function readScalar(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`)
}
