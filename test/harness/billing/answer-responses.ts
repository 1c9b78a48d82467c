import { inPieces, type Output, type StreamEvent, type VendorCall } from './call.js'
import type { ToolUse } from './hosted-tools.js'
import { itemsOf, type Json, type JsonObject, numberAt, textAt } from './json.js'
import { makeEncrypted, makeText } from './text-tokens.js'
import type { Metered } from './usage.js'

interface Answered {
  call: VendorCall
  used: Metered
  output: Output
  tools: readonly ToolUse[]
  tier: string
}

// The shapes of API reference, "Responses": the object, its items, and the events that bring them.

export function answerResponse(answered: Answered): {
  id: string
  answer: Json
  events: StreamEvent[]
  kept: { id: string; item: Json }[]
} {
  const { call } = answered
  const id = `resp_${call.id}`
  const items = makeItems(answered)
  const waits = call.body.background === true
  const done = {
    ...responseOf(answered, id, items),
    status: waits ? 'queued' : answered.output.cut ? 'incomplete' : 'completed',
    incomplete_details: answered.output.cut && !waits ? { reason: 'max_output_tokens' } : null,
    output: waits ? [] : items,
    usage: waits ? null : usageOf(answered.used),
  }
  const kept = items.map((item) => ({ id: String(item.id), item }))
  return { id, answer: done, events: makeEvents(answered, id, items, done), kept }
}

export const usageOf = (used: Metered): JsonObject => ({
  input_tokens: used.input,
  input_tokens_details: { cached_tokens: used.cached, cache_write_tokens: used.written },
  output_tokens: used.output,
  output_tokens_details: { reasoning_tokens: used.reasoning },
  total_tokens: used.input + used.output,
})

function responseOf({ call, tier }: Answered, id: string, output: readonly JsonObject[]): JsonObject {
  const { body, name } = call
  return {
    id,
    object: 'response',
    created_at: 1_760_000_000,
    status: 'in_progress',
    background: body.background ?? false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    model: name,
    output,
    parallel_tool_calls: true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: { effort: null, summary: null },
    service_tier: tier,
    store: body.store ?? true,
    temperature: 1,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: itemsOf(body.tools),
    top_p: 1,
    truncation: 'disabled',
    usage: null,
    user: null,
    metadata: {},
  }
}

function makeItems({ call, output, tools }: Answered): JsonObject[] {
  const { id, model, body } = call
  const encrypted = itemsOf(body.include).includes('reasoning.encrypted_content')
  const reasoning = {
    id: `rs_${id}`,
    type: 'reasoning',
    summary: [],
    ...(encrypted && { encrypted_content: makeEncrypted(output.reasoning) }),
  }
  const text = makeText(output.shown, model.encoding)
  const message = {
    id: `msg_${id}`,
    type: 'message',
    status: output.cut ? 'incomplete' : 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', annotations: [], logprobs: [], text }],
  }
  const named = itemsOf(body.tools).map((tool) => textAt(tool, 'container'))
  const container = named.find((name) => name !== '') ?? `cntr_${id}`
  const used = tools.flatMap((use, place) =>
    Array.from({ length: use.uses }, (_, index) => toolItem(use, `${id}_${place}_${index}`, container)),
  )
  // guides/tools-web-search: a search has a fee; to open a page that was found, which is a call of the same type, has none.
  const opened = tools.some(({ type }) => type === 'web_search') && body.max_tool_calls === undefined
  if (opened)
    used.push({
      id: `ws_${id}_page`,
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'open_page', url: 'https://pages.test/' },
    })
  return [...(output.reasoning > 0 ? [reasoning] : []), ...used, message]
}

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function toolItem(use: ToolUse, id: string, container: string): JsonObject {
  const status = 'completed'
  switch (use.type) {
    case 'web_search':
    case 'web_search_preview':
      return { id: `ws_${id}`, type: 'web_search_call', status, action: { type: 'search', query: 'tally' } }
    case 'file_search':
      return { id: `fs_${id}`, type: 'file_search_call', status, queries: ['tally'], results: null }
    case 'code_interpreter':
      return {
        id: `ci_${id}`,
        type: 'code_interpreter_call',
        status,
        code: 'print(1)',
        container_id: container,
        outputs: null,
      }
    case 'shell':
      return {
        id: `sh_${id}`,
        type: 'shell_call',
        status,
        call_id: `call_${id}`,
        action: { commands: ['ls'], timeout_ms: 1_000, max_output_length: 1_000 },
        environment: { type: 'container_reference', container_id: container },
      }
    case 'image_generation':
      return {
        id: `ig_${id}`,
        type: 'image_generation_call',
        status,
        background: 'opaque',
        output_format: 'png',
        quality: use.quality,
        size: use.size,
        result: onePixel,
        revised_prompt: 'a tally stick',
      }
    default:
      return {
        id: `mcp_${id}`,
        type: 'mcp_call',
        status,
        approval_request_id: null,
        arguments: '{}',
        error: null,
        name: 'look',
        output: 'found',
        server_label: 'remote',
      }
  }
}

function makeEvents(
  answered: Answered,
  id: string,
  items: readonly JsonObject[],
  done: JsonObject,
): StreamEvent[] {
  const events: StreamEvent[] = []
  const send = (type: string, data: JsonObject) =>
    events.push({ name: type, data: { type, sequence_number: events.length, ...data } })
  const { call } = answered
  const begun = responseOf(answered, id, [])
  send('response.created', { response: begun })
  send('response.in_progress', { response: begun })
  for (const [index, item] of items.entries()) {
    const place = { output_index: index, item_id: item.id ?? '' }
    send('response.output_item.added', { output_index: index, item: { ...item, ...emptied(item) } })
    if (item.type === 'message') sendText(send, place, answered)
    if (item.type === 'image_generation_call') sendPartialImages(send, place, call)
    send('response.output_item.done', { output_index: index, item })
  }
  send(done.status === 'incomplete' ? 'response.incomplete' : 'response.completed', { response: done })
  return events
}

/** An item when it begins: without what is still to come. */
const emptied = (item: JsonObject): JsonObject =>
  item.type === 'message' ? { content: [], status: 'in_progress' } : 'result' in item ? { result: null } : {}

function sendPartialImages(
  send: (type: string, data: JsonObject) => void,
  place: JsonObject,
  { body }: VendorCall,
): void {
  const tool = itemsOf(body.tools).find((each) => textAt(each, 'type') === 'image_generation')
  send('response.image_generation_call.generating', place)
  for (let index = 0; index < (numberAt(tool, 'partial_images') ?? 0); index++)
    send('response.image_generation_call.partial_image', {
      ...place,
      partial_image_index: index,
      partial_image_b64: onePixel,
    })
}

function sendText(
  send: (type: string, data: JsonObject) => void,
  item: JsonObject,
  { call, output }: Answered,
): void {
  const text = makeText(output.shown, call.model.encoding)
  const place = { ...item, content_index: 0 }
  send('response.content_part.added', { ...place, part: { type: 'output_text', annotations: [], text: '' } })
  for (const delta of inPieces(text)) send('response.output_text.delta', { ...place, delta, logprobs: [] })
  send('response.output_text.done', { ...place, text, logprobs: [] })
  send('response.content_part.done', { ...place, part: { type: 'output_text', annotations: [], text } })
}
