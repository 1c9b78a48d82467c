import { invalidRequest } from '../errors.js'
import { endOfStringInBytes, endOfValueInBytes, skipSpaceInBytes, tooDeep } from './scan.js'
import { type Edit, spliceBytes } from './splice.js'

const quote = 0x22
const comma = 0x2c
const openBrace = 0x7b

// Far beyond any tool schema, and far below what would exhaust the stack of code that writes the value again.
const maxDepth = 500

/** Where a member of the top-level object stands in the bytes. */
export interface Member {
  name: string
  nameStart: number
  valueStart: number
  valueEnd: number
}

/**
 * Finds the top-level members of a JSON object that is known to be valid. With their places, single members can be
 * changed while every other byte stays as the caller sent it: numbers keep their digits, unknown fields their form.
 */
export function findMembers(json: Buffer): Member[] {
  const members: Member[] = []
  let at = skipSpaceInBytes(json, json.indexOf(openBrace) + 1)
  while (json[at] === quote) {
    const nameStart = at
    const nameEnd = endOfStringInBytes(json, at)
    const valueStart = skipSpaceInBytes(json, skipSpaceInBytes(json, nameEnd) + 1)
    const valueEnd = endOfValueInBytes(json, valueStart, maxDepth)
    if (valueEnd === tooDeep) throw invalidRequest(`The body is nested more than ${maxDepth} levels deep`)
    const name: string = JSON.parse(json.toString('utf8', nameStart, nameEnd))
    members.push({ name, nameStart, valueStart, valueEnd })
    at = skipSpaceInBytes(json, valueEnd)
    if (json[at] === comma) at = skipSpaceInBytes(json, at + 1)
  }
  return members
}

/** The same bytes with some members set to other JSON text (added at the end when absent) or, for null, removed. */
export function editMembers(
  json: Buffer,
  members: readonly Member[],
  changes: ReadonlyMap<string, string | null>,
): Buffer {
  const edits: Edit[] = []
  const absent = new Map(changes)
  let isFirst = true
  let end = json.indexOf(openBrace) + 1
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
    edits.push({ start: end, end, json: `${isFirst ? '' : ','}${JSON.stringify(name)}:${change}` })
    isFirst = false
  }
  return spliceBytes(json, edits)
}
