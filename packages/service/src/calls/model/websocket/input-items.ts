import type { Member } from '@tallystick/record/json'

const blank = 0x20
const comma = Buffer.from(',')
const noItems = Buffer.alloc(0)

/** Returns the input items of a call as the caller wrote them, separated by commas. Null when the input is invalid. */
export function itemsOf(raw: Buffer, members: readonly Member[], input: unknown): Buffer | null {
  const member = members.find(({ name }) => name === 'input')
  if (member === undefined || input === null) return noItems
  const json = raw.subarray(member.valueStart, member.valueEnd)
  if (Array.isArray(input)) return trim(json.subarray(1, -1))
  // A plain string is a message of the user.
  if (json[0] === quote) return Buffer.concat([messageHead, json, messageTail])
  return null
}

export function joinItems(a: Buffer, b: Buffer): Buffer {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a
  return Buffer.concat([a, comma, b])
}

function trim(json: Buffer): Buffer {
  let start = 0
  let end = json.length
  while (start < end && (json[start] ?? 0) <= blank) start++
  while (end > start && (json[end - 1] ?? 0) <= blank) end--
  return json.subarray(start, end)
}

const quote = 0x22
const messageHead = Buffer.from('{"type":"message","role":"user","content":')
const messageTail = Buffer.from('}')
