import { createHmac, type Hmac, hash, randomFillSync } from 'node:crypto'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'

const keyBytes = 32
const keyPool = Buffer.alloc(keyBytes * 64)
let usedBytes = keyPool.length

/**
 * Returns a new key for the commitments of one receipt. Keys come from a pool, because generating 64 at once costs little more than one.
 */
export function newCommitmentKey(): Buffer {
  if (usedBytes === keyPool.length) {
    randomFillSync(keyPool)
    usedBytes = 0
  }
  const key = Buffer.from(keyPool.subarray(usedBytes, usedBytes + keyBytes))
  usedBytes += keyBytes
  return key
}

// Hashing this much takes about a millisecond.
const bytesPerSlice = 1024 * 1024

export const commitTo = (key: Buffer, bytes: Buffer): string =>
  bytes.length <= maxShortBytes ? commitToShort(key, bytes) : startCommitment(key).update(bytes).digest('hex')

const blockBytes = 64
const maxShortBytes = 16 * 1024
const inner = Buffer.alloc(blockBytes + maxShortBytes)
const outer = Buffer.alloc(blockBytes + keyBytes)

/** Computes the HMAC from two hashes (RFC 2104). For a short body this takes 60 % of the time of an HMAC object. */
function commitToShort(key: Buffer, bytes: Buffer): string {
  for (let i = 0; i < blockBytes; i++) {
    const byte = key[i] ?? 0
    inner[i] = byte ^ 0x36
    outer[i] = byte ^ 0x5c
  }
  inner.set(bytes, blockBytes)
  outer.set(hash('sha256', inner.subarray(0, blockBytes + bytes.length), 'buffer'), blockBytes)
  return hash('sha256', outer, 'hex')
}

/** Does the same as `commitTo`, yielding to other work between slices. */
export async function commitYielding(
  key: Buffer,
  bytes: Buffer,
  yieldToEventLoop: YieldToEventLoop,
): Promise<string> {
  if (bytes.length <= maxShortBytes) return commitToShort(key, bytes)
  const hmac = startCommitment(key)
  await updateYielding(hmac, bytes, yieldToEventLoop)
  return hmac.digest('hex')
}

export async function updateYielding(
  hash: Hmac,
  bytes: Buffer,
  yieldToEventLoop: YieldToEventLoop,
): Promise<void> {
  for (let at = 0; at < bytes.length; at += bytesPerSlice) {
    if (at > 0) await yieldToEventLoop()
    hash.update(bytes.subarray(at, at + bytesPerSlice))
  }
}

export const startCommitment = (key: Buffer): Hmac => createHmac('sha256', key)
