import { editTextMembers, itemsInTurns, membersInTurns, splice } from '@tallystick/record/json'
import type { WaitForTurn } from '../../../shared/turns.js'

/** Changes the text of a value. Null removes the member. */
export type TextChange = (text: string) => string | null | Promise<string | null>

/**
 * Changes existing members of a JSON object, some by name or all. All other characters stay unchanged, including numbers that a double
 * cannot hold.
 */
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

/** Sets or adds members of a JSON object. */
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
