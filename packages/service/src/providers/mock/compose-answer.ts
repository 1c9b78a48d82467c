import { asArray, asObject, asText, type JsonObject, parseObject, stringsIn } from '@tallystick/record/json'
import type { MockReply } from '../endpoints/mock-composer.js'
import type { UpstreamRequest } from '../provider.js'
import { mockMaxOutputTokens as maxWords } from './mock-models.js'

export interface MockAnswer {
  status: number
  /** The body, split into the pieces in which it is sent. */
  pieces: readonly (string | Buffer)[]
  contentType: string
}

// The mock runs inside this process, so long work would block every other call.
const maxReadBytes = 1024 * 1024
const maxEchoChars = 64 * 1024

export function composeAnswer(request: UpstreamRequest): MockAnswer {
  const body = readRequest(request)
  const { mock } = request.dialect
  if (request.model === 'fail') return asWhole(500, mock.failure('The mock provider failed, as requested'))
  const { whole, events, bytes } = mock.answer(echo(request, body), body)
  if (request.stream) return { status: 200, pieces: events, contentType: 'text/event-stream; charset=utf-8' }
  return bytes ? { status: 200, pieces: [bytes.body], contentType: bytes.contentType } : asWhole(200, whole)
}

const asWhole = (status: number, body: object): MockAnswer => ({
  status,
  pieces: [JSON.stringify(body)],
  contentType: 'application/json',
})

/** A longer body is answered without being read. */
function readRequest({ fields, body: sent, model, stream }: UpstreamRequest): JsonObject {
  const body = fields ?? sent
  if (body.length <= maxReadBytes) return parseObject(body.toString()) ?? {}
  const content = `The body has ${body.length} bytes, but the mock provider reads only ${maxReadBytes}.`
  const messages = [{ role: 'user', content }]
  return { model, stream, input: content, prompt: content, messages, stream_options: { include_usage: true } }
}

/** A word counts as a token, which is easy to predict in a test or by eye. */
function echo({ dialect, model }: UpstreamRequest, body: JsonObject): MockReply {
  const { input, conversation } = dialect.shape
  const texts = stringsIn([
    ...[...input.members.keys()].map((name) => (name === conversation ? contentsOf(body[name]) : body[name])),
    body.tools,
  ])
  const inputTokens = texts.reduce((sum, text) => sum + splitWords(text).length, 0)
  const text = lastText(body[conversation ?? [...input.members.keys()][0] ?? ''])
  const all = splitWords(text.slice(0, maxEchoChars))
  const words = all.slice(0, Math.min(dialect.maxOutputOf(body) ?? maxWords, maxWords))
  return {
    id: `mock-${Date.now().toString(36)}`,
    model: `mock-${model}`,
    words,
    inputTokens,
    outputTokens: words.length,
    truncated: words.length < all.length || text.length > maxEchoChars,
    created: Math.floor(Date.now() / 1000),
  }
}

/** Returns the contents of messages and items; an input that is not a list is its own content. */
function contentsOf(items: unknown): unknown {
  if (!Array.isArray(items)) return items
  return items.map((item) => {
    const { content, text } = asObject(item)
    return typeof item === 'string' ? item : (content ?? text)
  })
}

const splitWords = (text: string): string[] => text.match(/\S+\s*/g) ?? []

function lastText(input: unknown): string {
  if (typeof input === 'string') return input
  const { content } = asObject(asArray(input).at(-1))
  return (
    asText(content) ||
    asArray(content)
      .map((part) => asText(asObject(part).text))
      .join(' ')
      .trim()
  )
}
