import { randomFillSync } from 'node:crypto'

type Prefix =
  | 'tenant'
  | 'key'
  | 'prompt'
  | 'ver'
  | 'team'
  | 'bud'
  | 'breq'
  | 'pol'
  | 'whe'
  | 'dlv'
  | 'req'
  | 'aud'
  | 'proc'
  | 'era'
  | 'ses'
  | 'prov'
  | 'cred'
  | 'route'
  | 'file'
  | 'batch'
  | 'mcp'
  | 'job'
  | 'mres'
  | 'sink'

// Crockford's alphabet in lower case. Encoded numbers sort in their order, and no letters look alike.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

// Random bytes are read in blocks, with one system call for 256 ids.
const randomLength = 13
const pool = Buffer.alloc(randomLength * 256)
let used = pool.length

// Ids of the same millisecond have a count, so that the ids of this process are always in ascending order.
let lastMs = 0
let count = 0
const maxPerMs = 32 ** 3
// When the clock is set back by more than this, ids follow it. Otherwise their times would be wrong for as long as the clock was ahead.
const maxSetBackMs = 60_000

/** Returns an id: a prefix, 10 characters of time, 3 of the count within the millisecond and 13 (65 bits) of randomness. */
export function newId(prefix: Prefix, nowMs: number = Date.now()): string {
  count++
  // When the clock is set back a little, ids keep their last time until the clock has reached it again, so that their order is kept.
  const wasFarAhead = nowMs < lastMs - maxSetBackMs
  if (nowMs > lastMs || wasFarAhead || count === maxPerMs) {
    lastMs = wasFarAhead ? nowMs : Math.max(nowMs, lastMs + 1)
    count = 0
  }
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let text = encode(lastMs, 10) + encode(count, 3)
  for (let i = 0; i < randomLength; i++) text += alphabet[(pool[used + i] ?? 0) & 31]
  used += randomLength
  return `${prefix}_${text}`
}

/** Returns an id for a time in the past. `random` has at least 16 bytes and distinguishes ids of the same millisecond. */
export function idAt(prefix: Prefix, atMs: number, random: Buffer): string {
  let text = encode(atMs, 10)
  for (let i = 0; i < 3 + randomLength; i++) text += alphabet[(random[i] ?? 0) & 31]
  return `${prefix}_${text}`
}

/** Returns when an id was created, in milliseconds. Null for a text that is not an id. */
export function timeOfId(id: string): number | null {
  const match = /^[a-z]+_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/.exec(id)
  if (!match?.[1]) return null
  return [...match[1]].reduce((ms, letter) => ms * 32 + alphabet.indexOf(letter), 0)
}

function encode(value: number, length: number): string {
  let text = ''
  for (let rest = value, i = 0; i < length; i++) {
    text = alphabet[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}
