import { type JsonObject, stringsIn } from '../../../json/index.js'
import { protocolWords } from '../dialect.js'
import { type ReportedUsage, readOpenAiUsage, readServiceTier } from '../usage.js'
import { countToolUses } from './tools.js'

const names = {
  input: 'input_tokens',
  inputDetails: 'input_tokens_details',
  output: 'output_tokens',
  outputDetails: 'output_tokens_details',
}

// A call of a tool has two ids, of which one is enough.
const words = new Set([...protocolWords, 'id'])

/** What items of an answer say. */
export const textsOf = (items: unknown): string[] => stringsIn(items, words)

export function readUsage(response: JsonObject, request: JsonObject): ReportedUsage | null {
  const usage = readOpenAiUsage(response.usage, request, names)
  if (usage === null) return null
  const counts = { ...usage.counts, tools: countToolUses(response, request) }
  return { ...usage, counts, tier: readServiceTier(response, request) }
}
