import { asArray, isObject, type JsonObject } from '@tallystick/record/json'

export type Path = readonly (string | number)[]

/**
 * Returns a name for the text at a path of an event: text at the same path of later events continues it, in any
 * member. Items of a list are distinguished by their index members and not by their position in the event.
 */
export function channelOfPath(path: Path, event: JsonObject): string {
  let value: unknown = event
  let channel = ''
  for (const step of path) {
    const item: unknown = typeof step === 'number' ? asArray(value)[step] : memberOf(value, step)
    const key = typeof step === 'number' ? (indexIn(item) ?? step) : step
    channel += channel === '' ? escapeKey(key) : `/${escapeKey(key)}`
    value = item
  }
  return channel
}

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

const indexIn = (item: unknown): unknown => (isObject(item) ? item.index : undefined)

/**
 * Escapes keys so that no two paths have the same name. Some vendors write numbers as strings; both count as the
 * same.
 */
export function escapeKey(key: unknown): string {
  if (typeof key === 'number') return `${key}`
  const text = typeof key === 'string' ? key : JSON.stringify(key)
  return /[~/]/.test(text) ? text.replaceAll('~', '~0').replaceAll('/', '~1') : text
}

/**
 * Returns the index of a choice, a block or an item. Null for an invalid index, which clients may interpret in
 * their own way, such as -1 as the last one.
 */
export function readIndex(index: unknown): number | null {
  if (index === undefined || index === null) return 0
  const number = typeof index === 'string' && /^\d{1,9}$/.test(index) ? Number(index) : index
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}

/** Members in which vendors stream a text piece by piece. */
export const pieceNames = [
  'arguments',
  'code',
  'content',
  'delta',
  'input',
  'partial_json',
  'reasoning',
  'reasoning_content',
  'refusal',
  'text',
  'thinking',
  'transcript',
] as const

const known = new Set<unknown>(pieceNames)

export const isPieceName = (name: unknown): boolean => known.has(name)
