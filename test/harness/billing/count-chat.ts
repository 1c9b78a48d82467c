import { countContent, countJson, countTools, countUnknown, type Tally } from './count-openai.js'
import { isObject, itemsOf, type Json, type JsonObject, textAt } from './json.js'
import { namedTokens } from './media.js'
import type { VendorModel } from './price-book.js'
import { countText } from './text-tokens.js'

// cookbook.openai.com, "How to count tokens with tiktoken": 3 per message, 1 for a name, 3 that begin the reply.
const perMessage = 3
const perName = 1
const reply = 3

/** Members of the body that steer the call and are no input. */
const notInput = [
  'model',
  'messages',
  'tools',
  'functions',
  'response_format',
  'prediction',
  'audio',
  'frequency_penalty',
  'function_call',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'metadata',
  'modalities',
  'moderation',
  'n',
  'parallel_tool_calls',
  'presence_penalty',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning_effort',
  'safety_identifier',
  'seed',
  'service_tier',
  'stop',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'tool_choice',
  'top_logprobs',
  'top_p',
  'user',
  'verbosity',
  'web_search_options',
]

export function countChatInput(body: JsonObject, model: VendorModel): Tally {
  const tally: Tally = { tokens: reply, audio: 0 }
  for (const message of itemsOf(body.messages)) countMessage(message, model, tally)
  tally.tokens += countTools([...itemsOf(body.tools), ...itemsOf(body.functions)], model)
  tally.tokens += countJson(schemaOf(body.response_format), model)
  countUnknown(body, notInput, model, tally)
  return tally
}

const schemaOf = (format: Json | undefined): Json | undefined =>
  textAt(format, 'type') === 'json_schema' ? format : undefined

function countMessage(message: Json, model: VendorModel, tally: Tally): void {
  tally.tokens += perMessage
  if (!isObject(message)) return
  const { name } = message
  tally.tokens += countText(textAt(message, 'role'), model.encoding)
  if (typeof name === 'string') tally.tokens += perName + countText(name, model.encoding)
  countContent(message.content, model, tally)
  tally.tokens += countText(textAt(message, 'refusal'), model.encoding)
  for (const call of itemsOf(message.tool_calls)) {
    // A call as it was answered: its name and its arguments, or the input of a custom tool.
    for (const kind of ['function', 'custom'])
      for (const member of ['name', 'arguments', 'input'])
        tally.tokens += countText(textAt(call, kind, member), model.encoding)
    tally.tokens += perMessage
  }
  tally.tokens += countJson(message.function_call, model)
  const audioId = textAt(message, 'audio', 'id')
  if (audioId) {
    const tokens = namedTokens(model, audioId)
    tally.tokens += tokens
    tally.audio += tokens
  }
  countUnknown(message, messageMembers, model, tally)
}

const messageMembers = [
  'role',
  'name',
  'content',
  'refusal',
  'tool_calls',
  'tool_call_id',
  'function_call',
  'audio',
  'annotations',
]

/** Tokens of a prediction: what of it is not taken over is billed as output. */
export function countPrediction(body: JsonObject, model: VendorModel): number {
  const tally: Tally = { tokens: 0, audio: 0 }
  if (isObject(body.prediction)) countContent(body.prediction.content, model, tally)
  return tally.tokens
}
