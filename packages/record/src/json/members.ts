import { splice, spliceBytes } from './splice.js'

const openBrace = 0x7b

/**
 * The position of a member of the outermost object, in bytes. It allows changing single members while all other bytes stay as the caller
 * sent them: numbers keep their digits, and unknown fields their formatting.
 */
export interface Member {
  name: string
  nameStart: number
  valueStart: number
  valueEnd: number
}

/** Returns the bytes with some members set to other JSON text (added at the end when absent) or, for null, removed. */
export function editMembers(
  json: Buffer,
  members: readonly Member[],
  changes: ReadonlyMap<string, string | Buffer | null>,
): Buffer {
  return spliceBytes(json, editsOf(json.indexOf(openBrace) + 1, members, changes))
}

/** Does the same as `editMembers` for text, with positions in characters. */
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
      // The comma before the member is removed as well, or the one after it when it is the first member.
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
