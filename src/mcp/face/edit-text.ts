import { editTextMembers, itemsInTurns, membersInTurns, splice } from '../../json/index.js'
import type { WaitForTurn } from '../../turns.js'

/** What becomes of the text of a value; null takes the member out. */
export type TextChange = (text: string) => string | null | Promise<string | null>

/** Changes members of a JSON object where they are there: some by their names, or all. Every other character stays, and so do numbers that no double holds. */
export async function changeMembers(
  json: string,
  changes: Readonly<Record<string, TextChange>> | TextChange,
  waitForTurn: WaitForTurn,
): Promise<string> {
  if (!json.startsWith('{')) return json
  const members = await membersInTurns(json, waitForTurn)
  const changed = new Map<string, string | null>()
  for (const { name, valueStart, valueEnd } of members) {
    const change =
      typeof changes === 'function' ? changes : Object.hasOwn(changes, name) ? changes[name] : undefined
    if (change !== undefined) changed.set(name, await change(json.slice(valueStart, valueEnd)))
  }
  return changed.size === 0 ? json : editTextMembers(json, members, changed)
}

/** Sets members of a JSON object, and adds those that are not there. */
export async function setMembers(
  json: string,
  values: Readonly<Record<string, string | null>>,
  waitForTurn: WaitForTurn,
): Promise<string> {
  return editTextMembers(json, await membersInTurns(json, waitForTurn), new Map(Object.entries(values)))
}

/** Changes each item of a JSON array. */
export async function changeItems(
  json: string,
  change: (text: string) => Promise<string>,
  waitForTurn: WaitForTurn,
): Promise<string> {
  if (!json.startsWith('[')) return json
  const edits: { start: number; end: number; json: string }[] = []
  for (const { start, end } of await itemsInTurns(json, waitForTurn))
    edits.push({ start, end, json: await change(json.slice(start, end)) })
  return splice(json, edits)
}
