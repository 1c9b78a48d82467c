import { createHmac, type Hmac, randomFillSync } from 'node:crypto'
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
  startCommitment(key).update(bytes).digest('hex')

/** Does the same as `commitTo`, yielding to other work between slices. */
export async function commitYielding(
  key: Buffer,
  bytes: Buffer,
  yieldToEventLoop: YieldToEventLoop,
): Promise<string> {
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
