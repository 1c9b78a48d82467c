import {
  asArray,
  asCount,
  asObject,
  asText,
  isObject,
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
  prependItem,
  type ReportedUsage,
  type StreamReader,
  tokensPerFile,
  tokensPerImage,
} from '../dialect.js'
import { chatTexts } from './texts.js'

// What OpenAI documents for its chat format: each message is framed by about three tokens, the answer primed by three.
const tokensPerMessage = 4
const tokensPerAnswer = 3

// OpenAI's own limit; each choice may use the whole maximum output.
const maxChoices = 128

export const chat: Dialect = {
  name: 'chat',
  texts: chatTexts,

  faultIn(body) {
    if (!Array.isArray(body.messages)) return { path: 'messages', message: 'must be an array of messages' }
    return (
      findCountFault(body, 'max_tokens') ??
      findCountFault(body, 'max_completion_tokens') ??
      findCountFault(body, 'n', maxChoices)
    )
  },

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
      if (message.tool_calls !== undefined) texts.push(writeJson(message.tool_calls))
    }
    for (const extra of [body.tools, body.functions, body.response_format]) {
      if (extra !== undefined) texts.push(writeJson(extra))
    }
    return { texts, fixedTokens }
  },

  maxOutputOf(body) {
    const field =
      typeof body.max_tokens === 'number' && typeof body.max_completion_tokens !== 'number'
        ? 'max_tokens'
        : 'max_completion_tokens'
    return { field, tokens: readCount(body[field]) }
  },

  choicesOf: (body) => Math.max(1, asCount(body.n)),

  usageOf: (answer) => readUsage(answer.usage),
  outputOf: (answer) =>
    asArray(answer.choices).flatMap((choice) => textsIn(asObject(asObject(choice).message))),

  withSystem: (text, _, jsonOf) => ({
    name: 'messages',
    json: prependItem({ role: 'system', content: text }, jsonOf('messages')),
  }),

  usageRequest(body) {
    const options = body.stream_options ?? {}
    // Anything but an object is for the provider to refuse.
    if (!isObject(options) || options.include_usage === true) return {}
    return { stream_options: JSON.stringify({ ...options, include_usage: true }) }
  },

  readStream: ({ callerAskedForUsage }) => new ChatStream(callerAskedForUsage),

  streamError: (body) => formatEvent(JSON.stringify(body)),
}

function readUsage(value: unknown): ReportedUsage | null {
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
function textsIn(message: JsonObject): string[] {
  const texts = [asText(message.content), asText(message.refusal), asText(message.reasoning_content)]
  for (const call of asArray(message.tool_calls).map(asObject)) {
    const called = asObject(call.function)
    texts.push(asText(called.name), asText(called.arguments))
  }
  return texts.filter((text) => text !== '')
}

class ChatStream implements StreamReader {
  readonly #callerAskedForUsage: boolean
  readonly #texts: string[] = []
  #usage: ReportedUsage | null = null
  #model: string | null = null
  #finished = false
  #failed = false

  constructor(callerAskedForUsage: boolean) {
    this.#callerAskedForUsage = callerAskedForUsage
  }

  read(event: StreamEvent): EventFate {
    const { data } = event
    if (data === '') return 'relay'
    if (data === '[DONE]') {
      this.#finished = true
      return 'last'
    }
    const chunk = event.content
    if (chunk === null) return 'relay'
    if (chunk.error !== undefined && chunk.error !== null) this.#failed = true
    this.#model ??= readModelName(chunk.model)
    const choices = asArray(chunk.choices)
    for (const choice of choices.map(asObject)) {
      if (typeof choice.finish_reason === 'string') this.#finished = true
      this.#texts.push(...textsIn(asObject(choice.delta)))
    }
    const usage = readUsage(chunk.usage)
    if (usage === null) return 'relay'
    this.#usage = usage
    return choices.length === 0 && !this.#callerAskedForUsage ? 'drop' : 'relay'
  }

  usage = () => this.#usage
  texts = () => this.#texts
  goOn = (texts: readonly string[]) => void this.#texts.push(...texts)
  model = () => this.#model
  finished = () => this.#finished
  failed = () => this.#failed
}
