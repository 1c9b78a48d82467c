import { createHmac, type Hmac, randomFillSync } from 'node:crypto'
import type { WaitForTurn } from '../turns.js'

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

// About a millisecond of hashing.
const bytesPerTurn = 1024 * 1024

export const commitTo = (key: Buffer, bytes: Buffer): string =>
  startCommitment(key).update(bytes).digest('hex')

/** The same without keeping others waiting. */
export async function commitInTurns(key: Buffer, bytes: Buffer, waitForTurn: WaitForTurn): Promise<string> {
  const hmac = startCommitment(key)
  await addInTurns(hmac, bytes, waitForTurn)
  return hmac.digest('hex')
}

export async function addInTurns(hash: Hmac, bytes: Buffer, waitForTurn: WaitForTurn): Promise<void> {
  for (let at = 0; at < bytes.length; at += bytesPerTurn) {
    if (at > 0) await waitForTurn()
    hash.update(bytes.subarray(at, at + bytesPerTurn))
  }
}

export const startCommitment = (key: Buffer): Hmac => createHmac('sha256', key)
