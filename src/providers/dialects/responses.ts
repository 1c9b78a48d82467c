import type { TokenUsage } from '../cost.js'
import { asArray, asCount, asObject, asText, parseObject } from '../json.js'
import { formatEvent, type StreamEvent } from '../sse.js'
import { type Dialect, type EventFate, type StreamReader, tokensPerFile, tokensPerImage } from './dialect.js'

const tokensPerItem = 4

export const responses: Dialect = {
  name: 'responses',

  faultIn: (body) =>
    body.input === undefined || typeof body.input === 'string' || Array.isArray(body.input)
      ? null
      : { path: 'input', message: 'must be a string or an array of items' },

  inputOf(body) {
    const texts = [asText(body.instructions), asText(body.input)]
    let fixedTokens = tokensPerItem
    for (const item of asArray(body.input).map(asObject)) {
      fixedTokens += tokensPerItem
      texts.push(asText(item.content), asText(item.arguments), asText(item.output), asText(item.name))
      for (const part of [...asArray(item.content), ...asArray(item.output)].map(asObject)) {
        if (part.type === 'input_image') fixedTokens += tokensPerImage
        else if (part.type === 'input_file') fixedTokens += tokensPerFile
        else texts.push(asText(part.text))
      }
    }
    for (const extra of [body.tools, body.text]) if (extra !== undefined) texts.push(JSON.stringify(extra))
    return { texts, fixedTokens }
  },

  maxOutputOf: (body) => ({
    field: 'max_output_tokens',
    tokens: typeof body.max_output_tokens === 'number' ? asCount(body.max_output_tokens) : null,
  }),

  choicesOf: () => 1,
  usageOf: (answer) => readUsage(answer.usage),
  usageRequest: () => ({}),
  readStream: () => new ResponsesStream(),

  // Clients take `error` events by their name or by an `error` member, depending on their age.
  streamError: (body) => formatEvent(JSON.stringify({ type: 'error', ...body }), 'error'),
}

function readUsage(value: unknown): TokenUsage | null {
  if (value === null || typeof value !== 'object') return null
  const usage = asObject(value)
  const inputTokens = asCount(usage.input_tokens)
  return {
    inputTokens,
    cachedTokens: Math.min(inputTokens, asCount(asObject(usage.input_tokens_details).cached_tokens)),
    cacheWriteTokens: 0,
    outputTokens: asCount(usage.output_tokens),
  }
}

const endings = new Set(['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled'])

class ResponsesStream implements StreamReader {
  readonly #texts: string[] = []
  #usage: TokenUsage | null = null
  #model: string | null = null
  #finished = false
  #failed = false

  read({ data }: StreamEvent): EventFate {
    const event = parseObject(data)
    if (event === null) return 'relay'
    const type = asText(event.type)
    const response = asObject(event.response)
    this.#model ??= asText(response.model) || null
    if (type.endsWith('.delta')) this.#texts.push(asText(event.delta))
    if (type === 'error' || type === 'response.failed') this.#failed = true
    if (!endings.has(type)) return 'relay'
    this.#usage = readUsage(response.usage)
    this.#finished = true
    return 'last'
  }

  usage = () => this.#usage
  texts = () => this.#texts
  model = () => this.#model
  finished = () => this.#finished
  failed = () => this.#failed
}
