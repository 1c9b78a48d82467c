import { asArray, asCount, asObject, asText, type JsonObject, readCount } from '../../../json/index.js'
import type { ReportedUsage } from '../dialect.js'

export function readUsage(value: unknown): ReportedUsage | null {
  const usage = asObject(value)
  const inputTokens = readCount(usage.prompt_tokens)
  if (inputTokens === null) return null
  return {
    inputTokens,
    cachedTokens: Math.min(inputTokens, asCount(asObject(usage.prompt_tokens_details).cached_tokens)),
    cacheWriteTokens: 0,
    outputTokens: readCount(usage.completion_tokens),
  }
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
