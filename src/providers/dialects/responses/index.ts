import {
  asArray,
  asCount,
  asObject,
  asText,
  readCount,
  readModelName,
  writeJson,
} from '../../../json/index.js'
import { formatEvent, type StreamEvent } from '../../sse.js'
import {
  type Dialect,
  type EventFate,
  findCountFault,
  type ReportedUsage,
  type StreamReader,
  tokensPerFile,
  tokensPerImage,
} from '../dialect.js'
import { responsesTexts } from './texts.js'

const tokensPerItem = 4

export const responses: Dialect = {
  name: 'responses',
  texts: responsesTexts,

  faultIn(body) {
    const { input } = body
    if (input !== undefined && typeof input !== 'string' && !Array.isArray(input)) {
      return { path: 'input', message: 'must be a string or an array of items' }
    }
    // It would be answered before it is worked on: what it uses could be neither limited nor recorded.
    if (body.background === true)
      return { path: 'background', message: 'is not offered: its usage cannot be governed' }
    return findCountFault(body, 'max_output_tokens')
  },

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
    for (const extra of [body.tools, body.text]) if (extra !== undefined) texts.push(writeJson(extra))
    return { texts, fixedTokens }
  },

  maxOutputOf: (body) => ({ field: 'max_output_tokens', tokens: readCount(body.max_output_tokens) }),

  choicesOf: () => 1,
  usageOf: (answer) => readUsage(answer.usage),

  outputOf: (answer) =>
    asArray(answer.output)
      .map(asObject)
      .flatMap((item) => [
        asText(item.name),
        asText(item.arguments),
        ...[...asArray(item.content), ...asArray(item.summary)].map((part) => asText(asObject(part).text)),
      ]),

  withSystem: (text, body) => ({
    name: 'instructions',
    json: JSON.stringify(typeof body.instructions === 'string' ? `${text}\n\n${body.instructions}` : text),
  }),

  usageRequest: () => ({}),
  readStream: () => new ResponsesStream(),

  // Clients take `error` events by their name or by an `error` member, depending on their age.
  streamError: (body) => formatEvent(JSON.stringify({ type: 'error', ...body }), 'error'),
}

function readUsage(value: unknown): ReportedUsage | null {
  const usage = asObject(value)
  const inputTokens = readCount(usage.input_tokens)
  if (inputTokens === null) return null
  return {
    inputTokens,
    cachedTokens: Math.min(inputTokens, asCount(asObject(usage.input_tokens_details).cached_tokens)),
    cacheWriteTokens: 0,
    outputTokens: readCount(usage.output_tokens),
  }
}

const endings = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
])

class ResponsesStream implements StreamReader {
  readonly #texts: string[] = []
  #usage: ReportedUsage | null = null
  #model: string | null = null
  #finished = false
  #failed = false

  read({ content: event }: StreamEvent): EventFate {
    if (event === null) return 'relay'
    const type = asText(event.type)
    const response = asObject(event.response)
    this.#model ??= readModelName(response.model)
    if (type.endsWith('.delta')) this.#texts.push(asText(event.delta))
    if (type === 'error' || type === 'response.failed') this.#failed = true
    if (!endings.has(type)) return 'relay'
    this.#usage = readUsage(response.usage)
    this.#finished = true
    return 'last'
  }

  usage = () => this.#usage
  texts = () => this.#texts
  goOn = (texts: readonly string[]) => void this.#texts.push(...texts)
  model = () => this.#model
  finished = () => this.#finished
  failed = () => this.#failed
}
