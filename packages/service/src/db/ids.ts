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

// Crockford's alphabet in lower case: sorts like the numbers it spells, no letters that look alike.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

// Random bytes come in blocks: one system call for 256 ids instead of one for each.
const randomLength = 13
const pool = Buffer.alloc(randomLength * 256)
let used = pool.length

// Ids of one millisecond are told apart by a count, so that this process never makes a later id that sorts earlier.
let lastMs = 0
let count = 0
const maxPerMs = 32 ** 3
// A clock that is set back by more is believed: the times in later ids would be wrong for as long as it had been ahead.
const longestStandstillMs = 60_000

/** A prefix, 10 characters of time, 3 of the count within the millisecond and 13 (65 bits) of randomness. */
export function newId(prefix: Prefix, nowMs: number = Date.now()): string {
  count++
  // A clock that is set back a little must not turn the order of ids round: time then stands still until it has caught up.
  const wasFarAhead = nowMs < lastMs - longestStandstillMs
  if (nowMs > lastMs || wasFarAhead || count === maxPerMs) {
    lastMs = wasFarAhead ? nowMs : Math.max(nowMs, lastMs + 1)
    count = 0
  }
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let text = spell(lastMs, 10) + spell(count, 3)
  for (let i = 0; i < randomLength; i++) text += alphabet[(pool[used + i] ?? 0) & 31]
  used += randomLength
  return `${prefix}_${text}`
}

/** The id of something at a time that has passed; `random` tells those of one millisecond apart, and needs 16 bytes. */
export function idAt(prefix: Prefix, atMs: number, random: Buffer): string {
  let text = spell(atMs, 10)
  for (let i = 0; i < 3 + randomLength; i++) text += alphabet[(random[i] ?? 0) & 31]
  return `${prefix}_${text}`
}

/** When an id was made, in milliseconds; null for what is not of our making. */
export function timeOfId(id: string): number | null {
  const match = /^[a-z]+_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/.exec(id)
  if (!match?.[1]) return null
  return [...match[1]].reduce((ms, letter) => ms * 32 + alphabet.indexOf(letter), 0)
}

function spell(value: number, length: number): string {
  let text = ''
  for (let rest = value, i = 0; i < length; i++) {
    text = alphabet[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}
