import type { ServerResponse } from 'node:http'
import { startEvents } from './upstream.js'

// What the vendors' APIs answer, in their own shapes, for scripted providers.

export const chatModel = 'gpt-4o-mini-2024-07-18'
export const messageModel = 'claude-sonnet-4-6'

export const chatUsage = {
  prompt_tokens: 1_000,
  completion_tokens: 200,
  total_tokens: 1_200,
  prompt_tokens_details: { cached_tokens: 400, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 64,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
}

// 600 fresh at 0.15, 400 cached at 0.075 and 200 out at 0.60 USD per million: 90 + 30 + 120 millionths.
export const chatCostNanos = 240_000

const chatBase = {
  id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
  created: 1_741_569_952,
  model: chatModel,
  service_tier: 'default',
}

export const weatherCall = {
  id: 'call_abc123',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Paris","unit":"celsius"}' },
}

export function chatAnswer(...messages: object[]) {
  return {
    ...chatBase,
    object: 'chat.completion',
    system_fingerprint: 'fp_44709d6fcb',
    usage: chatUsage,
    choices: messages.map((message, index) => ({
      index,
      logprobs: null,
      finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop',
      message: { role: 'assistant', content: null, refusal: null, annotations: [], ...message },
    })),
  }
}

export const chatChunk = (delta: object, finish_reason: string | null = null, index = 0) => ({
  ...chatBase,
  object: 'chat.completion.chunk',
  system_fingerprint: 'fp_44709d6fcb',
  usage: null,
  choices: [{ index, delta, logprobs: null, finish_reason }],
})

export const chatUsageChunk = { ...chatChunk({}), choices: [], usage: chatUsage }

/** A streamed chat completion; the usage chunk only when it was asked for, as the vendor does it. */
export function streamChat(
  response: ServerResponse,
  pieces: object[],
  { usage = true, finish = 'stop' } = {},
): void {
  const send = startEvents(response)
  for (const piece of [{ role: 'assistant', content: '', refusal: null }, ...pieces]) send(chatChunk(piece))
  send(chatChunk({}, finish))
  if (usage) send(chatUsageChunk)
  send('[DONE]')
  response.end()
}

export const responseUsage = {
  input_tokens: 1_000,
  input_tokens_details: { cached_tokens: 400 },
  output_tokens: 200,
  output_tokens_details: { reasoning_tokens: 64 },
  total_tokens: 1_200,
}

export function responseAnswer(...output: object[]) {
  return {
    id: 'resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b',
    object: 'response',
    created_at: 1_741_476_542,
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model: chatModel,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: responseUsage,
    metadata: {},
  }
}

export const responseMessage = (text: string) => ({
  type: 'message',
  id: 'msg_67ccd2bf17f0819081ff3bb2cf6508e6',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
})

export const responseToolCall = {
  type: 'function_call',
  id: 'fc_67ca09c6bedc8190a7abfec07b1a1332',
  call_id: 'call_unLAR8MvFNptuiZK6K6HCy5k',
  name: 'get_weather',
  arguments: '{"city":"Paris","unit":"celsius"}',
  status: 'completed',
}

/** The events of a streamed response that says some text in pieces. */
export function responseEvents(...pieces: string[]) {
  const text = pieces.join('')
  const whole = responseAnswer(responseMessage(text))
  const item = responseMessage(text)
  const place = { item_id: item.id, output_index: 0, content_index: 0 }
  const part = { type: 'output_text', text, annotations: [], logprobs: [] }
  return [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [], usage: null } },
    { type: 'response.in_progress', response: { ...whole, status: 'in_progress', output: [], usage: null } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole },
  ].map((event, sequence_number) => ({ ...event, sequence_number }))
}

export const responseToolEvents = [
  { type: 'response.created', response: { ...responseAnswer(), status: 'in_progress', usage: null } },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { ...responseToolCall, arguments: '', status: 'in_progress' },
  },
  ...['{"city":', '"Paris","unit":"celsius"}'].map((delta) => ({
    type: 'response.function_call_arguments.delta',
    item_id: responseToolCall.id,
    output_index: 0,
    delta,
  })),
  {
    type: 'response.function_call_arguments.done',
    item_id: responseToolCall.id,
    output_index: 0,
    name: responseToolCall.name,
    arguments: responseToolCall.arguments,
  },
  { type: 'response.output_item.done', output_index: 0, item: responseToolCall },
  { type: 'response.completed', response: responseAnswer(responseToolCall) },
].map((event, sequence_number) => ({ ...event, sequence_number }))

export const messageUsage = {
  input_tokens: 500,
  cache_creation_input_tokens: 200,
  cache_read_input_tokens: 300,
  cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 0 },
  output_tokens: 100,
  service_tier: 'standard',
}

// 500 fresh at 3, 200 written at 3.75, 300 read at 0.30 and 100 out at 15 USD per million: 1500 + 750 + 90 + 1500.
export const messageCostNanos = 3_840_000

export function messageAnswer(content: object[], stop_reason = 'end_turn') {
  return {
    id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
    type: 'message',
    role: 'assistant',
    model: messageModel,
    content,
    stop_reason,
    stop_sequence: null,
    usage: messageUsage,
  }
}

/** The events of a streamed message, one content block after the other. */
export function messageEvents(blocks: { start: object; deltas: object[] }[], stop_reason = 'end_turn') {
  return [
    {
      type: 'message_start',
      message: { ...messageAnswer([]), stop_reason: null, usage: { ...messageUsage, output_tokens: 1 } },
    },
    { type: 'ping' },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: messageUsage.output_tokens },
    },
    { type: 'message_stop' },
  ]
}

export const textBlock = (...pieces: string[]) => ({
  start: { type: 'text', text: '' },
  deltas: pieces.map((text) => ({ type: 'text_delta', text })),
})

export const toolBlock = {
  start: { type: 'tool_use', id: 'toolu_01A09q90qw90lq917835lq9', name: 'get_weather', input: {} },
  deltas: ['', '{"city": "Pa', 'ris"}'].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
}

/** Events that carry their own name, as responses and messages do. */
export function streamNamed(response: ServerResponse, events: { type: string }[]): void {
  const send = startEvents(response)
  for (const event of events) send(event, event.type)
  response.end()
}

export const openAiError = (type: string, message: string, code: string | null = null) => ({
  error: { message, type, param: null, code },
})

export const anthropicError = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
})

export function embeddingAnswer(vectors: number[][], encoding: unknown) {
  const encode = (vector: number[]) =>
    encoding === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector
  return {
    object: 'list',
    model: 'text-embedding-3-small',
    usage: { prompt_tokens: 500, total_tokens: 500 },
    data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: encode(vector) })),
  }
}
