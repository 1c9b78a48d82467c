import type { TokenUsage } from '../cost.js'
import { asArray, asCount, asObject, asText, type JsonObject, parseObject } from '../json.js'
import { formatEvent } from '../sse.js'
import { type Dialect, type StreamReader, tokensPerFile, tokensPerImage } from './dialect.js'

// What OpenAI documents for its chat format: each message is framed by about three tokens, the answer primed by three.
const tokensPerMessage = 4
const tokensPerAnswer = 3

export const chat: Dialect = {
  name: 'chat',

  faultIn: (body) =>
    Array.isArray(body.messages) ? null : { path: 'messages', message: 'must be an array of messages' },

  inputOf(body) {
    const texts: string[] = []
    let fixedTokens = tokensPerAnswer
    for (const message of asArray(body.messages).map(asObject)) {
      fixedTokens += tokensPerMessage
      texts.push(asText(message.content))
      for (const part of asArray(message.content).map(asObject)) {
        if (part.type === 'image_url') fixedTokens += tokensPerImage
        else if (part.type === 'file' || part.type === 'input_audio') fixedTokens += tokensPerFile
        else texts.push(asText(part.text))
      }
      if (message.tool_calls !== undefined) texts.push(JSON.stringify(message.tool_calls))
    }
    for (const extra of [body.tools, body.functions, body.response_format]) {
      if (extra !== undefined) texts.push(JSON.stringify(extra))
    }
    return { texts, fixedTokens }
  },

  maxOutputOf(body) {
    const field = typeof body.max_tokens === 'number' && typeof body.max_completion_tokens !== 'number'
      ? 'max_tokens'
      : 'max_completion_tokens'
    const tokens = body[field]
    return { field, tokens: typeof tokens === 'number' ? asCount(tokens) : null }
  },

  choicesOf: (body) => Math.max(1, asCount(body.n)),

  usageOf: (answer) => readUsage(answer.usage),

  usageRequest(body) {
    const options = asObject(body.stream_options)
    if (options.include_usage === true) return {}
    return { stream_options: JSON.stringify({ ...options, include_usage: true }) }
  },

  readStream: ({ callerAskedForUsage }) => new ChatStream(callerAskedForUsage),

  streamError: (body) => formatEvent(JSON.stringify(body)),
}

function readUsage(value: unknown): TokenUsage | null {
  if (value === null || typeof value !== 'object') return null
  const usage = asObject(value)
  const inputTokens = asCount(usage.prompt_tokens)
  return {
    inputTokens,
    cachedTokens: Math.min(inputTokens, asCount(asObject(usage.prompt_tokens_details).cached_tokens)),
    cacheWriteTokens: 0,
    outputTokens: asCount(usage.completion_tokens),
  }
}

class ChatStream implements StreamReader {
  readonly #callerAskedForUsage: boolean
  readonly #texts: string[] = []
  #usage: TokenUsage | null = null
  #model: string | null = null
  #finished = false
  #failed = false

  constructor(callerAskedForUsage: boolean) {
    this.#callerAskedForUsage = callerAskedForUsage
  }

  read({ data }: { data: string }): 'relay' | 'drop' | 'last' {
    if (data === '') return 'relay'
    if (data === '[DONE]') {
      this.#finished = true
      return 'last'
    }
    const chunk = parseObject(data)
    if (chunk === null) return 'relay'
    if (chunk.error !== undefined && chunk.error !== null) this.#failed = true
    this.#model ??= asText(chunk.model) || null
    const choices = asArray(chunk.choices)
    for (const choice of choices.map(asObject)) {
      if (typeof choice.finish_reason === 'string') this.#finished = true
      this.#collect(asObject(choice.delta))
    }
    const usage = readUsage(chunk.usage)
    if (usage === null) return 'relay'
    this.#usage = usage
    return choices.length === 0 && !this.#callerAskedForUsage ? 'drop' : 'relay'
  }

  #collect(delta: JsonObject): void {
    // Compatible servers send the reasoning beside the answer; it is paid for like the rest.
    for (const text of [delta.content, delta.refusal, delta.reasoning_content]) {
      if (typeof text === 'string') this.#texts.push(text)
    }
    for (const call of asArray(delta.tool_calls).map(asObject)) {
      const called = asObject(call.function)
      this.#texts.push(asText(called.name), asText(called.arguments))
    }
  }

  usage = () => this.#usage
  texts = () => this.#texts
  model = () => this.#model
  finished = () => this.#finished
  failed = () => this.#failed
}
