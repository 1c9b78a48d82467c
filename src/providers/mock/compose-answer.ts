import { asArray, asObject, asText, type JsonObject, stringsIn } from '../../json/index.js'
import type { MockReply } from '../dialects/dialect.js'
import type { UpstreamRequest } from '../transport.js'

export interface MockAnswer {
  status: number
  streamed: boolean
  /** The body, cut into the pieces in which it is sent. */
  pieces: string[]
}

export function composeAnswer(request: UpstreamRequest, body: JsonObject): MockAnswer {
  const { mock } = request.dialect
  if (request.model === 'fail')
    return asWhole(500, mock.failure('The mock provider failed, as it was asked to'))
  const { whole, events } = mock.answer(echo(request, body), body)
  return request.stream ? { status: 200, streamed: true, pieces: events } : asWhole(200, whole)
}

const asWhole = (status: number, body: object): MockAnswer => ({
  status,
  streamed: false,
  pieces: [JSON.stringify(body)],
})

/** A word is taken for a token: easy to foresee in a test or by eye. */
function echo({ dialect, model }: UpstreamRequest, body: JsonObject): MockReply {
  const texts = stringsIn([
    body.system,
    body.instructions,
    contentsOf(body.messages ?? body.input),
    body.tools,
  ])
  const inputTokens = texts.reduce((sum, text) => sum + splitWords(text).length, 0)
  const maxWords = dialect.maxOutputOf(body)
  const all = splitWords(lastText(body))
  const words = all.slice(0, maxWords ?? all.length)
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

/** What messages and items say; an input that is no list says itself. */
function contentsOf(items: unknown): unknown {
  if (!Array.isArray(items)) return items
  return items.map((item) => {
    const { content, text } = asObject(item)
    return typeof item === 'string' ? item : (content ?? text)
  })
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
