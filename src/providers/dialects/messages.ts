import type { TokenUsage } from '../cost.js'
import { asArray, asCount, asObject, asText, type JsonObject, parseObject } from '../json.js'
import { formatEvent, type StreamEvent } from '../sse.js'
import { type Dialect, type EventFate, type InputContent, type StreamReader, tokensPerFile, tokensPerImage } from './dialect.js'

const tokensPerMessage = 4

export const messages: Dialect = {
  name: 'messages',

  faultIn(body) {
    if (!Array.isArray(body.messages)) return { path: 'messages', message: 'must be an array of messages' }
    if (typeof body.max_tokens !== 'number') return { path: 'max_tokens', message: 'must be a whole number' }
    return null
  },

  inputOf(body) {
    const input: InputContent = { texts: [], fixedTokens: tokensPerMessage }
    collectContent(body.system, input)
    for (const message of asArray(body.messages).map(asObject)) {
      input.fixedTokens += tokensPerMessage
      collectContent(message.content, input)
    }
    if (body.tools !== undefined) input.texts.push(JSON.stringify(body.tools))
    return input
  },

  maxOutputOf: (body) => ({
    field: 'max_tokens',
    tokens: typeof body.max_tokens === 'number' ? asCount(body.max_tokens) : null,
  }),

  choicesOf: () => 1,
  usageOf: (answer) => readUsage(asObject(answer.usage)),
  usageRequest: () => ({}),
  readStream: () => new MessagesStream(),
  streamError: (body) => formatEvent(JSON.stringify({ type: 'error', ...body }), 'error'),
}

function collectContent(content: unknown, input: InputContent): void {
  input.texts.push(asText(content))
  for (const block of asArray(content).map(asObject)) {
    if (block.type === 'image') input.fixedTokens += tokensPerImage
    else if (block.type === 'document') input.fixedTokens += tokensPerFile
    else if (block.type === 'tool_result') collectContent(block.content, input)
    else if (block.type === 'tool_use') input.texts.push(asText(block.name), JSON.stringify(block.input ?? {}))
    else input.texts.push(asText(block.text), asText(block.thinking))
  }
}

/** Anthropic counts cached input beside `input_tokens`, not within it. */
function readUsage(usage: JsonObject): TokenUsage | null {
  if (usage.input_tokens === undefined && usage.output_tokens === undefined) return null
  const cachedTokens = asCount(usage.cache_read_input_tokens)
  const cacheWriteTokens = asCount(usage.cache_creation_input_tokens)
  return {
    inputTokens: asCount(usage.input_tokens) + cachedTokens + cacheWriteTokens,
    cachedTokens,
    cacheWriteTokens,
    outputTokens: asCount(usage.output_tokens),
  }
}

class MessagesStream implements StreamReader {
  readonly #texts: string[] = []
  /** `message_start` has the input, each `message_delta` the output so far; later figures replace earlier ones. */
  #usage: JsonObject = {}
  #counted = false
  #model: string | null = null
  #finished = false
  #failed = false

  read({ data }: StreamEvent): EventFate {
    const event = parseObject(data)
    if (event === null) return 'relay'
    switch (event.type) {
      case 'message_start': {
        const message = asObject(event.message)
        this.#model = asText(message.model) || null
        this.#usage = { ...asObject(message.usage) }
        break
      }
      case 'content_block_start': {
        const block = asObject(event.content_block)
        this.#texts.push(asText(block.name), asText(block.text))
        break
      }
      case 'content_block_delta': {
        const delta = asObject(event.delta)
        this.#texts.push(asText(delta.text), asText(delta.partial_json), asText(delta.thinking))
        break
      }
      case 'message_delta':
        this.#usage = { ...this.#usage, ...definedCounts(asObject(event.usage)) }
        this.#counted = true
        break
      case 'error':
        this.#failed = true
        break
      case 'message_stop':
        this.#finished = true
        return 'last'
      default:
    }
    return 'relay'
  }

  /** Before the first `message_delta` the output count is a placeholder: count the text instead. */
  usage = () => (this.#counted ? readUsage(this.#usage) : null)
  texts = () => this.#texts
  model = () => this.#model
  finished = () => this.#finished
  failed = () => this.#failed
}

const definedCounts = (usage: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(usage).filter(([, count]) => typeof count === 'number'))
