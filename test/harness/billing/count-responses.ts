import {
  countContent,
  countJson,
  countMember,
  countTools,
  countUnknown,
  generatedImageTokensOf,
  type Tally,
} from './count-openai.js'
import { at, isObject, itemsOf, type Json, type JsonObject, textAt } from './json.js'
import { Refusal } from './media.js'
import type { VendorModel } from './price-book.js'
import { countText } from './text-tokens.js'
import type { VendorState } from './vendor-state.js'

// As a message of chat: 3 and its role. A text alone is a message of the user.
const perItem = 3
const role = 1
const reply = 3

const notInput = [
  'model',
  'input',
  'instructions',
  'tools',
  'text',
  'previous_response_id',
  'conversation',
  'background',
  'context_management',
  'include',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'moderation',
  'parallel_tool_calls',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'tool_choice',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
]

export function countResponsesInput(body: JsonObject, model: VendorModel, held: VendorState): Tally {
  const tally: Tally = { tokens: reply, audio: 0 }
  tally.tokens += countHeld(body, held)
  if (typeof body.instructions === 'string')
    tally.tokens += perItem + role + countText(body.instructions, model.encoding)
  for (const item of itemsOf(body.input)) countItem(item, model, held, tally)
  tally.tokens += countTools(itemsOf(body.tools), model)
  if (textAt(body, 'text', 'format', 'type') === 'json_schema')
    tally.tokens += countJson(at(body, 'text', 'format'), model)
  countUnknown(body, notInput, model, tally)
  return tally
}

/** What the vendor puts before the input: guides/conversation-state, "all previous input tokens are billed as input tokens". */
function countHeld(body: JsonObject, held: VendorState): number {
  const { previous_response_id: previous } = body
  let tokens = 0
  if (typeof previous === 'string') {
    const found = held.response(previous)
    if (found === null)
      throw new Refusal(`Previous response with id '${previous}' not found.`, 'previous_response_not_found')
    tokens += found
  }
  const id = conversationOf(body)
  if (id !== '') {
    const found = held.conversation(id)
    if (found === null) throw new Refusal(`Conversation with id '${id}' not found.`)
    tokens += found
  }
  return tokens
}

export const conversationOf = (body: JsonObject): string =>
  textAt(body, 'conversation') || textAt(body, 'conversation', 'id')

/** Members of an item that tell it apart and are no content. */
const itemMarks = new Set([
  'type',
  'id',
  'call_id',
  'status',
  'role',
  'phase',
  'approval_request_id',
  'container_id',
  'max_output_length',
])

function countItem(item: Json, model: VendorModel, held: VendorState, tally: Tally): void {
  tally.tokens += perItem
  if (!isObject(item)) {
    tally.tokens += role
    countContent(item, model, tally)
  } else if (item.type === 'item_reference') countReference(textAt(item, 'id'), model, held, tally)
  else countMembers(item, model, tally)
}

function countMembers(item: JsonObject, model: VendorModel, tally: Tally): void {
  const { type } = item
  tally.tokens += countText(textAt(item, 'role'), model.encoding)
  for (const [name, value] of Object.entries(item)) {
    if (itemMarks.has(name)) continue
    if (name === 'content') countContent(value, model, tally)
    else if (name === 'result' && type === 'image_generation_call' && typeof value === 'string')
      tally.tokens += generatedImageTokensOf(model, value)
    else countMember(name, value, model, tally)
  }
}

function countReference(id: string, model: VendorModel, held: VendorState, tally: Tally): void {
  const found = held.item(id)
  if (found === null) throw new Refusal(`Item with id '${id}' not found.`)
  if (typeof found === 'number') tally.tokens += found
  else countItem(found, model, held, tally)
}
