export interface Message {
  role: string
  text: string
}

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Converts a request or response of any endpoint to messages; null if it has none. */
export function readMessages(body: Json): Message[] | null {
  const messages = [
    ...(body.system === undefined ? [] : [{ role: 'system', text: textOf(body.system) }]),
    ...(typeof body.instructions === 'string' ? [{ role: 'system', text: body.instructions }] : []),
    ...list(body.messages).flatMap(toMessage),
    ...(typeof body.input === 'string'
      ? [{ role: 'input', text: body.input }]
      : list(body.input).flatMap(toMessage)),
    ...list(body.choices).flatMap((choice) => (isObject(choice) ? toMessage(choice.message) : [])),
    ...list(body.output).flatMap(toMessage),
    // A response in Anthropic's format is a single message.
    ...(typeof body.role === 'string' && body.content !== undefined ? toMessage(body) : []),
    ...(isObject(body.params)
      ? [{ role: String(body.method ?? 'call'), text: readParams(body.params) }]
      : []),
    ...(isObject(body.result) ? readResult(body.result) : []),
    ...(isObject(body.error) ? [{ role: 'error', text: textOf(body.error.message ?? body.error) }] : []),
  ]
  return messages.length > 0 ? messages : null
}

/** Describes the parameters of a tool call. */
function readParams({ name, uri, arguments: given }: Json): string {
  const what = String(name ?? uri ?? '')
  return isObject(given) ? `${what}\n${JSON.stringify(given, null, 2)}` : what
}

function readResult(result: Json): Message[] {
  const role = result.isError === true ? 'result (error)' : 'result'
  const contents = [...list(result.content), ...list(result.contents)]
  const messages = list(result.messages).flatMap(toMessage)
  if (messages.length > 0) return messages
  return [{ role, text: contents.length > 0 ? textOf(contents) : JSON.stringify(result, null, 2) }]
}

function toMessage(value: unknown): Message[] {
  if (typeof value === 'string') return [{ role: 'input', text: value }]
  if (!isObject(value)) return []
  const parts = [
    textOf(value.content ?? value.text ?? value.output ?? value.summary),
    ...list(value.tool_calls).map(toolCall),
  ]
  if (value.type === 'function_call') parts.push(toolCall(value))
  const role =
    typeof value.role === 'string' ? value.role : typeof value.type === 'string' ? value.type : 'message'
  return [{ role, text: parts.filter((part) => part !== '').join('\n') }]
}

/** Returns text unchanged and a description of anything else. */
function textOf(content: unknown): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).join('\n')
  if (!isObject(content)) return String(content)
  if (typeof content.text === 'string') return content.text
  if (typeof content.thinking === 'string') return `(thinking) ${content.thinking}`
  if (content.type === 'tool_use') return toolCall(content)
  if (content.type === 'tool_result') return `(result) ${textOf(content.content)}`
  if (typeof content.type === 'string') return `(${content.type})`
  return JSON.stringify(content)
}

function toolCall(value: unknown): string {
  if (!isObject(value)) return ''
  const called = isObject(value.function) ? value.function : value
  const input = called.arguments ?? called.input
  return `(calls ${String(called.name ?? 'a tool')}) ${typeof input === 'string' ? input : JSON.stringify(input ?? {})}`
}
