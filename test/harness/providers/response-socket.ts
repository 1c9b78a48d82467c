import { once } from 'node:events'
import { WebSocket } from 'ws'

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
type Message = any

/** A client of `GET /v1/responses` as a WebSocket. */
export interface ResponseSocket {
  raw: WebSocket
  /** Every message so far. */
  received: Message[]
  create(fields: object): void
  /** The next message that was not taken yet. Rejects when the socket closes before it. */
  next(): Promise<Message>
  /** Sends a call and takes its messages, up to the one that ends it. */
  ask(fields: object): Promise<Message[]>
  /** The messages up to the one that ends an answer. */
  answer(): Promise<Message[]>
  closed: Promise<{ code: number; reason: string }>
  close(): Promise<void>
}

const endings = new Set(['response.completed', 'response.incomplete', 'response.failed', 'error'])

export async function openResponseSocket(
  address: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<ResponseSocket> {
  const raw = new WebSocket(`${address.replace('http', 'ws')}/v1/responses`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
  const received: Message[] = []
  let taken = 0
  let wake = () => {}
  let isClosed = false
  raw.on('message', (data) => {
    received.push(JSON.parse(String(data)))
    wake()
  })
  raw.on('error', () => undefined)
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    raw.once('close', (code, reason) => {
      isClosed = true
      wake()
      resolve({ code, reason: String(reason) })
    })
  })
  await once(raw, 'open')

  async function next(): Promise<Message> {
    while (taken >= received.length) {
      if (isClosed) throw new Error('the socket closed before the message came')
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return received[taken++]
  }

  async function answer(): Promise<Message[]> {
    const messages: Message[] = []
    do messages.push(await next())
    while (!endings.has(messages.at(-1).type))
    return messages
  }

  const create = (fields: object) => raw.send(JSON.stringify({ type: 'response.create', ...fields }))
  return {
    raw,
    received,
    create,
    next,
    answer,
    closed,
    async ask(fields) {
      create(fields)
      return await answer()
    },
    async close() {
      raw.close()
      await closed
    },
  }
}

/** How a handshake that is refused is answered. */
export async function refusedHandshake(
  address: string,
  headers: Record<string, string>,
  path = '/v1/responses',
): Promise<{ status: number; error: Message; headers: Message }> {
  const raw = new WebSocket(`${address.replace('http', 'ws')}${path}`, { headers })
  raw.on('error', () => undefined)
  const [, response] = await once(raw, 'unexpected-response')
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, headers: response.headers, ...JSON.parse(text) }
}
