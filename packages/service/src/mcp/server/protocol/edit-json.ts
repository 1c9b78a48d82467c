import { editTextMembers, readItemsInSlices, readMembersInSlices, splice } from '@tallystick/record/json'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'

/** Changes the text of a value. Null removes the member. */
export type TextChange = (text: string) => string | null | Promise<string | null>

/**
 * Changes existing members of a JSON object, some by name or all. All other characters stay unchanged, including numbers that a double
 * cannot hold.
 */
export async function changeMembers(
  json: string,
  changes: Readonly<Record<string, TextChange>> | TextChange,
  yieldToEventLoop: YieldToEventLoop,
): Promise<string> {
  if (!json.startsWith('{')) return json
  const members = await readMembersInSlices(json, yieldToEventLoop)
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
  yieldToEventLoop: YieldToEventLoop,
): Promise<string> {
  return editTextMembers(
    json,
    await readMembersInSlices(json, yieldToEventLoop),
    new Map(Object.entries(values)),
  )
}

/** Changes each item of a JSON array. */
export async function changeItems(
  json: string,
  change: (text: string) => Promise<string>,
  yieldToEventLoop: YieldToEventLoop,
): Promise<string> {
  if (!json.startsWith('[')) return json
  const edits: { start: number; end: number; json: string }[] = []
  for (const { start, end } of await readItemsInSlices(json, yieldToEventLoop))
    edits.push({ start, end, json: await change(json.slice(start, end)) })
  return splice(json, edits)
}
