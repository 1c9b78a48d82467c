import { type JsonObject, stringsIn } from '@tallystick/record/json'
import { protocolWords } from '../endpoint.js'
import { type ReportedUsage, readOpenAiUsage, readServiceTier } from '../usage.js'
import { countToolUses } from './tools.js'

const names = {
  input: 'input_tokens',
  inputDetails: 'input_tokens_details',
  output: 'output_tokens',
  outputDetails: 'output_tokens_details',
}

// Members whose strings are not counted. A tool call has two ids, of which `call_id` alone is counted.
const excludedMembers = new Set([...protocolWords, 'id'])

/** Returns the texts of output items. */
export const textsOf = (items: unknown): string[] => stringsIn(items, excludedMembers)

export function readUsage(response: JsonObject, request: JsonObject): ReportedUsage | null {
  const usage = readOpenAiUsage(response.usage, request, names)
  if (usage === null) return null
  const counts = { ...usage.counts, tools: countToolUses(response, request) }
  return { ...usage, counts, tier: readServiceTier(response, request) }
}
