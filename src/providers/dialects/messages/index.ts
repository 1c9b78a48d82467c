import {
  asArray,
  asCount,
  asObject,
  asText,
  type JsonObject,
  readCount,
  readModelName,
  writeJson,
} from '../../../json/index.js'
import { formatEvent, type StreamEvent } from '../../sse.js'
import {
  type Dialect,
  type EventFate,
  findCountFault,
  type InputContent,
  prependItem,
  type ReportedUsage,
  type StreamReader,
  tokensPerFile,
  tokensPerImage,
} from '../dialect.js'
import { messagesTexts } from './texts.js'

const tokensPerMessage = 4

export const messages: Dialect = {
  name: 'messages',
  texts: messagesTexts,

  faultIn(body) {
    if (!Array.isArray(body.messages)) return { path: 'messages', message: 'must be an array of messages' }
    if (typeof body.max_tokens !== 'number') return { path: 'max_tokens', message: 'must be a whole number' }
    return findCountFault(body, 'max_tokens')
  },

  inputOf(body) {
    const input: InputContent = { texts: [], fixedTokens: tokensPerMessage }
    collectContent(body.system, input)
    for (const message of asArray(body.messages).map(asObject)) {
      input.fixedTokens += tokensPerMessage
      collectContent(message.content, input)
    }
    if (body.tools !== undefined) input.texts.push(writeJson(body.tools))
    return input
  },

  maxOutputOf: (body) => ({ field: 'max_tokens', tokens: readCount(body.max_tokens) }),
  choicesOf: () => 1,
  usageOf: (answer) => readUsage(asObject(answer.usage)),

  outputOf(answer) {
    const output: InputContent = { texts: [], fixedTokens: 0 }
    collectContent(answer.content, output)
    return output.texts
  },

  withSystem(text, body, jsonOf) {
    if (Array.isArray(body.system))
      return { name: 'system', json: prependItem({ type: 'text', text }, jsonOf('system')) }
    return {
      name: 'system',
      json: JSON.stringify(typeof body.system === 'string' ? `${text}\n\n${body.system}` : text),
    }
  },

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
    else if (block.type === 'tool_use') input.texts.push(asText(block.name), writeJson(block.input ?? {}))
    else input.texts.push(asText(block.text), asText(block.thinking))
  }
}

/** Anthropic counts cached input beside `input_tokens`, not within it. */
function readUsage(usage: JsonObject): ReportedUsage | null {
  const freshTokens = readCount(usage.input_tokens)
  const cachedTokens = asCount(usage.cache_read_input_tokens)
  const cacheWriteTokens = asCount(usage.cache_creation_input_tokens)
  const inputTokens = freshTokens === null ? null : readCount(freshTokens + cachedTokens + cacheWriteTokens)
  if (inputTokens === null) return null
  return {
    inputTokens,
    cachedTokens,
    cacheWriteTokens,
    hourCacheWriteTokens: asCount(asObject(usage.cache_creation).ephemeral_1h_input_tokens),
    outputTokens: readCount(usage.output_tokens),
  }
}

class MessagesStream implements StreamReader {
  readonly #texts: string[] = []
  /** `message_start` has the input, each `message_delta` the output so far; later figures replace earlier ones. */
  #usage: JsonObject = {}
  #model: string | null = null
  #finished = false
  #failed = false

  read({ content: event }: StreamEvent): EventFate {
    if (event === null) return 'relay'
    switch (event.type) {
      case 'message_start': {
        const message = asObject(event.message)
        this.#model = readModelName(message.model)
        // The output count is a placeholder here: until the first `message_delta`, the text itself is counted.
        const { cache_creation } = asObject(message.usage)
        this.#usage = { ...countsIn(message.usage), cache_creation, output_tokens: null }
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
        this.#usage = { ...this.#usage, ...countsIn(event.usage) }
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

  usage = () => readUsage(this.#usage)
  texts = () => this.#texts
  goOn = (texts: readonly string[]) => void this.#texts.push(...texts)
  model = () => this.#model
  finished = () => this.#finished
  failed = () => this.#failed
}

const countsIn = (usage: unknown): JsonObject =>
  Object.fromEntries(Object.entries(asObject(usage)).filter(([, count]) => readCount(count) !== null))
