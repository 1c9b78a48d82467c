import { randomFillSync } from 'node:crypto'

type Prefix = 'tenant' | 'key' | 'prompt' | 'ver' | 'team' | 'bud' | 'breq' | 'pol' | 'whe' | 'dlv' | 'req'

// Crockford's alphabet in lower case: sorts like the numbers it spells, no letters that look alike.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

// Random bytes come in blocks: one system call for 256 ids instead of one for each.
const pool = Buffer.alloc(16 * 256)
let used = pool.length

/** A prefix, 10 characters of time and 16 of randomness: ids sort by their creation, to the millisecond. */
export function newId(prefix: Prefix, nowMs: number = Date.now()): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let text = ''
  for (let rest = nowMs, i = 0; i < 10; i++) {
    text = alphabet[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  for (let i = 0; i < 16; i++) text += alphabet[(pool[used + i] ?? 0) & 31]
  used += 16
  return `${prefix}_${text}`
}
