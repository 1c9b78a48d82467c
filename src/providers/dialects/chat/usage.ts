import { asArray, asCount, asObject, asText, type JsonObject } from '../../../json/index.js'
import { type ReportedUsage, readOpenAiUsage, readServiceTier } from '../usage.js'

const names = {
  input: 'prompt_tokens',
  inputDetails: 'prompt_tokens_details',
  output: 'completion_tokens',
  outputDetails: 'completion_tokens_details',
}

/** `answer` is a whole answer or the chunk of a stream that has the usage. */
export function readUsage(answer: JsonObject, request: JsonObject): ReportedUsage | null {
  const usage = readOpenAiUsage(answer.usage, request, names)
  if (usage === null) return null
  // Live search of compatible servers.
  const sources = asCount(asObject(answer.usage).num_sources_used)
  const counts = sources === 0 ? usage.counts : { ...usage.counts, tools: { web_search: sources } }
  return { ...usage, counts, tier: readServiceTier(answer, request) }
}

/** What a message, or a piece of one, says. Compatible servers send reasoning beside the answer; it is paid like the rest. */
export function textsIn(message: JsonObject): string[] {
  const texts = [asText(message.content), asText(message.refusal), asText(message.reasoning_content)]
  for (const call of asArray(message.tool_calls).map(asObject)) {
    const called = asObject(call.function)
    texts.push(asText(called.name), asText(called.arguments))
  }
  return texts.filter((text) => text !== '')
}
