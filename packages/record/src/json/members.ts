import { splice, spliceBytes } from './splice.js'

const openBrace = 0x7b

/**
 * Where a member of the outermost object stands in the bytes. With that, single members can be changed while every other byte stays
 * as the caller sent it: numbers keep their digits, unknown fields their form.
 */
export interface Member {
  name: string
  nameStart: number
  valueStart: number
  valueEnd: number
}

/** The same bytes with some members set to other JSON text (added at the end when absent) or, for null, removed. */
export function editMembers(
  json: Buffer,
  members: readonly Member[],
  changes: ReadonlyMap<string, string | Buffer | null>,
): Buffer {
  return spliceBytes(json, editsOf(json.indexOf(openBrace) + 1, members, changes))
}

/** The same for text, with positions of characters. */
export function editTextMembers(
  json: string,
  members: readonly Member[],
  changes: ReadonlyMap<string, string | null>,
): string {
  return splice(json, editsOf(json.indexOf('{') + 1, members, changes))
}

function editsOf<Json extends string | Buffer>(
  start: number,
  members: readonly Member[],
  changes: ReadonlyMap<string, Json | null>,
): { start: number; end: number; json: Json | string }[] {
  const edits: { start: number; end: number; json: Json | string }[] = []
  const absent = new Map(changes)
  let isFirst = true
  let end = start
  for (const [i, { name, nameStart, valueStart, valueEnd }] of members.entries()) {
    const change = changes.get(name)
    absent.delete(name)
    if (change === null) {
      // With the comma before it, or the one after it where it is the first.
      const next = members[i + 1]?.nameStart ?? valueEnd
      edits.push(
        isFirst ? { start: nameStart, end: next, json: '' } : { start: end, end: valueEnd, json: '' },
      )
    } else {
      if (change !== undefined) edits.push({ start: valueStart, end: valueEnd, json: change })
      isFirst = false
    }
    end = valueEnd
  }
  for (const [name, change] of absent) {
    if (change === null) continue
    edits.push({ start: end, end, json: `${isFirst ? '' : ','}${JSON.stringify(name)}:` })
    edits.push({ start: end, end, json: change })
    isFirst = false
  }
  return edits
}
