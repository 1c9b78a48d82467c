import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import type { UpstreamEnd } from '../contract.js'
import { badAnswer, UpstreamFault } from '../fault.js'
import { type Message, readMessages } from '../protocol/messages.js'
import { isModern } from '../protocol/sdk.js'
import type { Connection } from './connections.js'
import { mediaTypeOf, readAll } from './read-answer.js'
import type { HttpAnswer } from './send.js'
import { faultOfStatus } from './status.js'

/** The server did not process the request, because it does not know the session or the protocol version. */
export const staleConnection = Symbol('stale')

const unsupportedVersion = -32_022
const maxErrorBytes = 65_536

/** Reads an answer with an error status. Its body may still be a JSON-RPC error. Throws an `UpstreamFault` when it is not. */
export async function readRefusal(
  answer: HttpAnswer,
  { connection, id }: { connection: Connection; id: number },
  yieldToEventLoop: YieldToEventLoop,
): Promise<UpstreamEnd | typeof staleConnection> {
  const { status } = answer
  const fault = faultOfStatus(status) ?? badAnswer(`The server answered HTTP ${status}`)
  const isReadable =
    status >= 400 && fault.failure !== 'credential' && mediaTypeOf(answer) === 'application/json'
  const messages = isReadable ? await readErrors(answer, yieldToEventLoop) : []
  answer.discard()
  const error = messages.find((each) => each.type === 'error') ?? null
  if (isStaleConnection(status, error, connection)) return staleConnection
  if (error?.id === id) return { type: 'error', json: error.json, code: error.code }
  throw fault
}

type ErrorMessage = Extract<Message, { type: 'error' }>

function isStaleConnection(
  status: number,
  error: ErrorMessage | null,
  { protocolVersion, sessionId }: Connection,
): boolean {
  if (isModern(protocolVersion)) return error?.code === unsupportedVersion
  if (sessionId === null) return false
  // The protocol requires 404. Many servers answer 400 with an error message about the session instead.
  const isServerError = error?.code === -32_000 || error?.code === -32_001
  return status === 404 || (status === 400 && isServerError && error.json.toLowerCase().includes('session'))
}

async function readErrors(answer: HttpAnswer, yieldToEventLoop: YieldToEventLoop): Promise<Message[]> {
  try {
    const bytes = await readAll({ ...answer, body: atMost(answer.body, maxErrorBytes) })
    return await readMessages(bytes, yieldToEventLoop)
  } catch (error) {
    if (error instanceof UpstreamFault && error.failure === 'bad_answer') return []
    throw error
  }
}

async function* atMost(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw badAnswer('The server sent too much with an error')
    yield chunk
  }
}
