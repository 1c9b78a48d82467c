import { ApiError, baseUrl } from '../../api'
import { type DialectName, dialects, type PlaygroundRequest, Tree } from './dialects'

export interface SentCall {
  requestId: string | null
  firstTextMs: number | null
  totalMs: number
}

/**
 * Makes a call through the gateway like any other client: with a virtual key and without the session cookie. Calls `onText` with the
 * text received so far. Throws the error of the gateway or provider.
 */
export async function send(
  request: PlaygroundRequest,
  dialect: DialectName,
  options: {
    key: string
    signal: AbortSignal
    onStart(requestId: string | null): void
    onText(text: string): void
  },
): Promise<SentCall> {
  const { key, signal, onStart, onText } = options
  const startedAt = performance.now()
  const response = await fetch(`${baseUrl}${dialects[dialect].path}`, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(dialects[dialect].write(request)),
    signal,
  })
  const requestId = response.headers.get('x-tallystick-request-id')
  onStart(requestId)
  if (!response.ok)
    throw new ApiError(response.status, await response.json().catch(() => null), response.headers)
  let firstTextMs: number | null = null
  const append = (text: string) => {
    if (text !== '') firstTextMs ??= performance.now() - startedAt
    onText(text)
  }
  const isStream = response.headers.get('content-type')?.includes('event-stream') === true
  if (isStream && response.body) await readStream(response.body, dialect, append)
  else append(dialects[dialect].read(new Tree(await response.json())))
  return { requestId, firstTextMs, totalMs: performance.now() - startedAt }
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  dialect: DialectName,
  onText: (text: string) => void,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let rest = ''
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const lines = (rest + decoder.decode(chunk.value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) text += readLine(line, dialect)
    onText(text)
  }
}

/** The text that a line of the stream adds. Throws on an error event. */
function readLine(line: string, dialect: DialectName): string {
  if (!line.startsWith('data:')) return ''
  const data = line.slice('data:'.length).trim()
  if (data === '' || data === '[DONE]') return ''
  const parsed: unknown = JSON.parse(data)
  const event = new Tree(parsed)
  const failed = event.at('error').at('message').text || event.at('response').at('error').at('message').text
  if (failed !== '')
    throw new ApiError(200, { error: { message: failed, type: event.at('error').at('type').text } })
  return dialects[dialect].readEvent(event)
}

export interface Model {
  id: string
  owned_by: string
}

/** The models that a key may call. */
export async function readModels(key: string, signal: AbortSignal): Promise<Model[]> {
  const response = await fetch(`${baseUrl}/v1/models`, {
    credentials: 'omit',
    headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
    signal,
  })
  const body: unknown = await response.json()
  if (!response.ok) throw new ApiError(response.status, body, response.headers)
  return new Tree(body)
    .at('data')
    .items.map((model) => ({ id: model.at('id').text, owned_by: model.at('owned_by').text }))
}
