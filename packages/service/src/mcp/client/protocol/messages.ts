import { asObject, isObject, type JsonBounds, type Member } from '@tallystick/record/json'
import { ApiError } from '../../../shared/errors.js'
import { readJson } from '../../../shared/read-json.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import { badAnswer, type UpstreamFault } from '../fault.js'

export type MessageId = string | number

/** A JSON-RPC message. Values are kept as the JSON text that the server sent. */
export type Message =
  | { type: 'result'; id: MessageId | null; json: string }
  | { type: 'error'; id: MessageId | null; json: string; code: number }
  | { type: 'request'; id: MessageId; method: string; paramsJson: string }
  | { type: 'notification'; method: string; paramsJson: string }

/** The same bounds as for the bodies of callers. Within them, no step of a call takes long. */
export const messageBounds: JsonBounds = {
  depth: 500,
  containers: 100_000,
  objectMembers: 10_000,
  members: 200_000,
  values: 500_000,
}

const maxIdChars = 256
const maxMethodChars = 128
const maxBatch = 100
const openBracket = 0x5b

/** Parses one message or a batch. Throws an `UpstreamFault`. */
export async function readMessages(json: Buffer, yieldToEventLoop: YieldToEventLoop): Promise<Message[]> {
  const { value, members } = await parse(json, yieldToEventLoop)
  if (!Array.isArray(value)) return [toMessage(json, value, members)]
  if (value.length > maxBatch) throw badAnswer('The server sent too many messages at once')
  const messages: Message[] = []
  for (const item of itemsOf(json, value.length)) {
    const read = await parse(item, yieldToEventLoop)
    messages.push(toMessage(item, read.value, read.members))
  }
  // Only one request was sent, so at most one answer is expected.
  if (messages.filter(({ type }) => type === 'result' || type === 'error').length > 1)
    throw badAnswer('The server sent two answers to one request')
  return messages
}

async function parse(json: Buffer, yieldToEventLoop: YieldToEventLoop): ReturnType<typeof readJson> {
  try {
    return await readJson(json, messageBounds, yieldToEventLoop)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw badAnswer(
      'The server sent something that is not JSON, or JSON that has too many values or is nested too deep',
      error,
    )
  }
}

function toMessage(json: Buffer, value: unknown, members: readonly Member[]): Message {
  if (!isObject(value) || value.jsonrpc !== '2.0') throw notJsonRpc()
  const text = (name: string) => {
    const member = members.find((each) => each.name === name)
    return member === undefined ? null : json.toString('utf8', member.valueStart, member.valueEnd)
  }
  const { id, method, result, error } = value
  if (method !== undefined) {
    if (typeof method !== 'string' || method.length > maxMethodChars) throw notJsonRpc()
    if (result !== undefined || error !== undefined) throw notJsonRpc()
    const paramsJson = text('params') ?? '{}'
    if (value.params !== undefined && !isObject(value.params)) throw notJsonRpc()
    if (id === undefined) return { type: 'notification', method, paramsJson }
    if (!isMessageId(id)) throw notJsonRpc()
    return { type: 'request', id, method, paramsJson }
  }
  if (id !== undefined && id !== null && !isMessageId(id)) throw notJsonRpc()
  if (isObject(result) && error === undefined)
    return { type: 'result', id: id ?? null, json: text('result') ?? '{}' }
  const { code, message } = asObject(error)
  if (result !== undefined || typeof code !== 'number' || !Number.isSafeInteger(code)) throw notJsonRpc()
  if (typeof message !== 'string') throw notJsonRpc()
  return { type: 'error', id: id ?? null, json: text('error') ?? '{}', code }
}

function isMessageId(id: unknown): id is MessageId {
  return typeof id === 'string' ? id.length <= maxIdChars : typeof id === 'number' && Number.isSafeInteger(id)
}

const notJsonRpc = (): UpstreamFault => badAnswer('The server sent something that is not a JSON-RPC message')

/** Returns the items of an array as bytes. The array must be valid JSON. */
function itemsOf(json: Buffer, count: number): Buffer[] {
  const items: Buffer[] = []
  let start = json.indexOf(openBracket) + 1
  for (let i = 0; i < count; i++) {
    const end = endOfItem(json, start)
    items.push(json.subarray(start, end))
    start = end + 1
  }
  return items
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c

/** Returns the position of the comma or bracket after an item. */
function endOfItem(json: Buffer, from: number): number {
  let depth = 0
  let inString = false
  for (let at = from; at < json.length; at++) {
    const byte = json[at]
    if (inString) {
      if (byte === backslash) at++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === openBracket || byte === 0x7b) depth++
    else if (byte === comma && depth === 0) return at
    else if ((byte === 0x5d || byte === 0x7d) && depth-- === 0) return at
  }
  return json.length
}
