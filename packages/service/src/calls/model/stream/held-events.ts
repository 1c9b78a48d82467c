import { splice } from '@tallystick/record/json'
import type { TextSpan } from '../../../policies/index.js'
import {
  type EventTexts,
  type RevealingValue,
  type StreamText,
  writeEvent,
} from '../../../providers/index.js'
import type { OpenNames } from './called-names.js'

export interface HeldText {
  location: StreamText
  span: TextSpan
  /** The same text judged by itself. Null when it cannot be a text of its own. */
  whole: TextSpan | null
}

/** A held event, without its parsed form: many may be held, and few are read again. */
export interface HeldEvent {
  name: string
  /** The name of the event as a text to judge. Null when the name only repeats the type. */
  nameText: HeldText | null
  data: string
  texts: readonly HeldText[]
  revealing: readonly RevealingValue[]
  openNames: OpenNames | null
}

/** Writes an event for the caller. `read` returns the text that the caller may see, or null when it is unchanged. */
export function writeHeldEvent(
  { name, nameText, data, texts, revealing }: HeldEvent,
  read: (text: HeldText) => string | null,
): string {
  const edits: { start: number; end: number; json: string }[] = []
  for (const text of texts) {
    const changed = read(text)
    if (changed === null) continue
    const { start, end } = text.location
    edits.push({ start, end, json: JSON.stringify(changed) })
  }
  for (const { start, end, replacement } of revealing) {
    if (data.slice(start, end).trim() !== replacement) edits.push({ start, end, json: replacement })
  }
  const shownName = nameText !== null && read(nameText) !== null ? '' : name
  if (edits.length === 0) return writeEvent(shownName, data)
  edits.sort((a, b) => a.start - b.start)
  return writeEvent(shownName, splice(data, edits))
}

/** Combines the verdicts on a text as a continuation and as a text by itself. */
export function combineReadings(continued: string | null, alone: string | null): string | null {
  if (continued === null || alone === null || continued === alone) return continued ?? alone
  // Each verdict removes something different, so nothing is shown.
  return ''
}

export const withoutTexts: EventTexts = { texts: [], revealing: [], ends: [] }

/** Makes a text of an event name that does not repeat the type, so that it is judged. */
export const toNameText = (name: string): StreamText => ({
  ...{ start: 0, end: 0, text: name, json: false, isEcho: false, kind: 'text' as const },
  channel: 'name of the event',
  mayBeWhole: true,
})
