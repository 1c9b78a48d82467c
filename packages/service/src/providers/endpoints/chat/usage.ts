import { asCount, asObject, type JsonObject, stringsIn } from '@tallystick/record/json'
import { protocolWords } from '../endpoint.js'
import { type ReportedUsage, readOpenAiUsage, readServiceTier } from '../usage.js'

const names = {
  input: 'prompt_tokens',
  inputDetails: 'prompt_tokens_details',
  output: 'completion_tokens',
  outputDetails: 'completion_tokens_details',
}

/** `answer` is a whole answer, or the chunk of a stream that reports the usage. */
export function readUsage(answer: JsonObject, request: JsonObject): ReportedUsage | null {
  const usage = readOpenAiUsage(answer.usage, request, names)
  if (usage === null) return null
  // Compatible servers that search the web report the number of sources.
  const sources = asCount(asObject(answer.usage).num_sources_used)
  const counts = sources === 0 ? usage.counts : { ...usage.counts, tools: { web_search: sources } }
  return { counts, hasOutput: usage.hasOutput, tier: readServiceTier(answer, request) }
}

/**
 * Returns all texts in a message or a piece of one: servers add members of their own, and bill them like the rest.
 */
export const textsIn = (message: unknown): string[] => stringsIn(message, protocolWords)
