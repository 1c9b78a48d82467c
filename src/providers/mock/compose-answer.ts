import { asArray, asObject, asText, type JsonObject } from '../../json/index.js'
import { dialects } from '../dialects/index.js'
import { formatEvent } from '../sse.js'
import type { UpstreamRequest } from '../transport.js'

export interface MockAnswer {
  status: number
  streamed: boolean
  /** The body, cut into the pieces in which it is sent. */
  pieces: string[]
}

interface Said {
  id: string
  model: string
  words: string[]
  inputTokens: number
  outputTokens: number
  truncated: boolean
  created: number
}

export function composeAnswer(request: UpstreamRequest, body: JsonObject): MockAnswer {
  if (request.model === 'fail') return composeFailure(request)
  const said = echo(request, body)
  if (request.dialect === 'embeddings') return plain(composeEmbeddings(said, body))
  const { whole, events } = composers[request.dialect](said, body)
  return request.stream ? { status: 200, streamed: true, pieces: events } : plain(whole)
}

const plain = (body: object): MockAnswer => ({ status: 200, streamed: false, pieces: [JSON.stringify(body)] })

function composeFailure({ dialect }: UpstreamRequest): MockAnswer {
  const error = {
    type: dialect === 'messages' ? 'api_error' : 'server_error',
    message: 'The mock provider failed, as it was asked to',
  }
  const body =
    dialect === 'messages' ? { type: 'error', error } : { error: { ...error, param: null, code: null } }
  return { status: 500, streamed: false, pieces: [JSON.stringify(body)] }
}

/** A word is taken for a token: easy to foresee in a test or by eye. */
function echo({ dialect, model }: UpstreamRequest, body: JsonObject): Said {
  const { texts } = dialects[dialect].inputOf(body)
  const inputTokens = texts.reduce((sum, text) => sum + splitWords(text).length, 0)
  const { tokens: most } = dialects[dialect].maxOutputOf(body)
  const all = splitWords(lastText(body))
  const words = all.slice(0, most ?? all.length)
  return {
    id: `mock-${Date.now().toString(36)}`,
    model: `mock-${model}`,
    words,
    inputTokens,
    outputTokens: words.length,
    truncated: words.length < all.length,
    created: Math.floor(Date.now() / 1000),
  }
}

const splitWords = (text: string): string[] => text.match(/\S+\s*/g) ?? []

function lastText(body: JsonObject): string {
  if (typeof body.input === 'string') return body.input
  const items = asArray(body.messages ?? body.input)
  const content = asObject(items.at(-1)).content
  return (
    asText(content) ||
    asArray(content)
      .map((part) => asText(asObject(part).text))
      .join(' ')
      .trim()
  )
}

type Composer = (said: Said, body: JsonObject) => { whole: object; events: string[] }

const composers: Record<'chat' | 'responses' | 'messages', Composer> = {
  chat: composeChat,
  responses: composeResponse,
  messages: composeMessage,
}

function composeChat(said: Said, body: JsonObject): ReturnType<Composer> {
  const base = { id: `chatcmpl-${said.id}`, created: said.created, model: said.model }
  const usage = {
    prompt_tokens: said.inputTokens,
    completion_tokens: said.outputTokens,
    total_tokens: said.inputTokens + said.outputTokens,
  }
  const finish = said.truncated ? 'length' : 'stop'
  const chunk = (delta: object, finish_reason: string | null = null) =>
    formatEvent(
      JSON.stringify({
        ...base,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason }],
      }),
    )
  const usageChunk = formatEvent(
    JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [], usage }),
  )
  return {
    whole: {
      ...base,
      object: 'chat.completion',
      usage,
      choices: [
        { index: 0, finish_reason: finish, message: { role: 'assistant', content: said.words.join('') } },
      ],
    },
    events: [
      chunk({ role: 'assistant', content: '' }),
      ...said.words.map((content) => chunk({ content })),
      chunk({}, finish),
      ...(asObject(body.stream_options).include_usage === true ? [usageChunk] : []),
      formatEvent('[DONE]'),
    ],
  }
}

function composeResponse(said: Said): ReturnType<Composer> {
  const text = said.words.join('')
  const part = { type: 'output_text', text, annotations: [] }
  const item = {
    id: `msg_${said.id}`,
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [part],
  }
  const whole = {
    id: `resp_${said.id}`,
    object: 'response',
    created_at: said.created,
    model: said.model,
    output: [item],
    status: said.truncated ? 'incomplete' : 'completed',
    incomplete_details: said.truncated ? { reason: 'max_output_tokens' } : null,
    usage: {
      input_tokens: said.inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: said.outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: said.inputTokens + said.outputTokens,
    },
  }
  const place = { item_id: item.id, output_index: 0, content_index: 0 }
  const events = [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [], usage: null } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...said.words.map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
    { type: 'response.output_text.done', ...place, text },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: said.truncated ? 'response.incomplete' : 'response.completed', response: whole },
  ]
  return {
    whole,
    events: events.map((event, i) =>
      formatEvent(JSON.stringify({ ...event, sequence_number: i }), event.type),
    ),
  }
}

function composeMessage(said: Said): ReturnType<Composer> {
  const base = { id: `msg_${said.id}`, type: 'message', role: 'assistant', model: said.model }
  const stop = { stop_reason: said.truncated ? 'max_tokens' : 'end_turn', stop_sequence: null }
  const input = { input_tokens: said.inputTokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const events = [
    {
      type: 'message_start',
      message: {
        ...base,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...input, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...said.words.map((text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: stop, usage: { output_tokens: said.outputTokens } },
    { type: 'message_stop' },
  ]
  return {
    whole: {
      ...base,
      ...stop,
      content: [{ type: 'text', text: said.words.join('') }],
      usage: { ...input, output_tokens: said.outputTokens },
    },
    events: events.map((event) => formatEvent(JSON.stringify(event), event.type)),
  }
}

/** Vectors that depend on the text and on nothing else. */
function composeEmbeddings(said: Said, body: JsonObject): object {
  const inputs =
    typeof body.input === 'string' ? [body.input] : asArray(body.input).map((item) => JSON.stringify(item))
  return {
    object: 'list',
    model: said.model,
    data: inputs.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: encodeVector(text, body.encoding_format),
    })),
    usage: { prompt_tokens: said.inputTokens, total_tokens: said.inputTokens },
  }
}

function encodeVector(text: string, format: unknown): number[] | string {
  const vector = Float32Array.from({ length: 8 }, (_, i) =>
    Math.sin(text.length * (i + 1) + (text.codePointAt(i) ?? 0)),
  )
  return format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector]
}
