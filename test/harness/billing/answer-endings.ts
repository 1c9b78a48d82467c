import type { ServerResponse } from 'node:http'
import type { Served, StreamEvent } from './call.js'
import { isObject, type Json } from './json.js'

/**
 * How an answer ends. `usage`: with what it used. `withheld`: without it, as servers do that do not report it, and as the plain text of a
 * transcription does. `broken`: the connection is lost after this share of its bytes.
 */
export type Ending = 'usage' | 'withheld' | { brokenAt: number }

/** An answer without any word of what it used. */
export function withhold(served: Served): Served {
  return {
    ...served,
    answer: withoutUsage(served.answer),
    events: served.events.map(silence).filter((event) => event !== null),
  }
}

/** The chunk of a chat that has the usage and nothing else is left out as a whole. */
function silence({ name, data }: StreamEvent): StreamEvent | null {
  if (data === '[DONE]') return { ...(name && { name }), data }
  if (isObject(data) && Array.isArray(data.choices) && data.choices.length === 0) return null
  return { ...(name && { name }), data: withoutUsage(data) }
}

const reports = new Set(['usage', 'meta', 'duration'])

function withoutUsage(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutUsage)
  if (!isObject(value)) return value
  const kept: Record<string, Json> = {}
  for (const [name, member = null] of Object.entries(value))
    if (!reports.has(name)) kept[name] = withoutUsage(member)
  return kept
}

/** Sends so much of the body, and then loses the connection. */
export async function sendBroken(response: ServerResponse, body: Buffer, brokenAt: number): Promise<void> {
  const sent = body.subarray(0, Math.floor(body.length * brokenAt))
  await new Promise<void>((resolve) => response.write(sent.length > 0 ? sent : ' ', () => resolve()))
  response.destroy()
}
