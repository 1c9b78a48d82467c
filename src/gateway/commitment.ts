import { createHmac, type Hmac, randomFillSync } from 'node:crypto'

const keyBytes = 32
const pool = Buffer.alloc(keyBytes * 64)
let used = pool.length

/** The key of one receipt. From a pool: 64 random keys at once cost little more than one. */
export function newCommitmentKey(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const key = Buffer.from(pool.subarray(used, used + keyBytes))
  used += keyBytes
  return key
}

export const commitTo = (key: Buffer, bytes: Buffer): string =>
  createHmac('sha256', key).update(bytes).digest('hex')

export const startCommitment = (key: Buffer): Hmac => createHmac('sha256', key)
