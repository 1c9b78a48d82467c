import {
  asObject,
  decodeInSlices,
  isObject,
  type JsonBounds,
  type JsonObject,
  type Member,
  readItemsInSlices,
  readMembersInSlices,
} from '@tallystick/record/json'
import { readJson } from '../../../shared/read-json.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import { invalidRequestFault } from './rpc.js'

/** One message: its value and its text. */
export interface RawMessage {
  value: JsonObject
  text: string
  members: readonly Member[]
}

/** A request, or a notification when the id is null. */
export interface RpcRequest {
  /** The id as JSON. */
  idJson: string | null
  method: string
  params: JsonObject
  /** The params as the caller wrote them, or `{}`. */
  paramsJson: string
  paramsMembers: readonly Member[]
  /** The text of `_meta`. */
  metaJson: string | null
}

/** The same bounds as for model calls: far beyond real requests, but small enough that no step takes long. */
const bodyBounds: JsonBounds = {
  depth: 500,
  containers: 100_000,
  objectMembers: 10_000,
  members: 200_000,
  values: 500_000,
}
const maxIdLength = 1_024
const maxMethodLength = 200
const maxMetaLength = 64 * 1024

/** Parses a body with one message or a batch. `classify` decides whether they are valid messages. */
export async function readMessages(
  body: Buffer,
  yieldToEventLoop: YieldToEventLoop,
  charge: (bytes: number) => void,
): Promise<{ value: unknown; messages: RawMessage[] }> {
  const { value } = await readJson(body, bodyBounds, yieldToEventLoop, charge)
  const text = await decodeInSlices(body, yieldToEventLoop)
  if (!Array.isArray(value)) return { value, messages: [await openMessage(value, text, yieldToEventLoop)] }
  const positions = await readItemsInSlices(text, yieldToEventLoop)
  const messages: RawMessage[] = []
  for (const [i, item] of value.entries()) {
    const { start, end } = positions[i] ?? { start: 0, end: 0 }
    messages.push(await openMessage(item, text.slice(start, end), yieldToEventLoop))
  }
  return { value, messages }
}

async function openMessage(
  value: unknown,
  text: string,
  yieldToEventLoop: YieldToEventLoop,
): Promise<RawMessage> {
  return { value: asObject(value), text, members: await readMembersInSlices(text, yieldToEventLoop) }
}

/** Returns the text of a member, or null when it is missing. */
export function textOf({ text, members }: Pick<RawMessage, 'text' | 'members'>, name: string): string | null {
  const member = members.find((each) => each.name === name)
  return member === undefined ? null : text.slice(member.valueStart, member.valueEnd)
}

/** Returns the id of a request as JSON, even when the rest of the request is invalid. `null` when there is no valid id. */
export function idOf(message: RawMessage): string {
  const { id, method } = message.value
  const isId = typeof method === 'string' && (typeof id === 'string' || Number.isSafeInteger(id))
  const text = isId ? textOf(message, 'id') : null
  return text !== null && text.length <= maxIdLength ? text : 'null'
}

/** Reads a message that was classified as a request or a notification. */
export async function toRequest(
  message: RawMessage,
  yieldToEventLoop: YieldToEventLoop,
): Promise<RpcRequest> {
  const { method, params } = message.value
  const idJson = textOf(message, 'id')
  if (idJson !== null && idJson.length > maxIdLength)
    throw invalidRequestFault(`The id is longer than ${maxIdLength} characters`)
  if (typeof method !== 'string' || method.length > maxMethodLength)
    throw invalidRequestFault(`The method is not a string of at most ${maxMethodLength} characters`)
  const text = textOf(message, 'params') ?? '{}'
  const members = await readMembersInSlices(text, yieldToEventLoop)
  const metaJson = textOf({ text, members }, '_meta')
  if (metaJson !== null && metaJson.length > maxMetaLength)
    throw invalidRequestFault(`_meta is longer than ${maxMetaLength} characters`)
  return { idJson, method, params: asObject(params), paramsJson: text, paramsMembers: members, metaJson }
}

/** Reads a reply to a question: its id, and `{"result":…}` or `{"error":…}`. Null when the message is not a reply. */
export function toReply(message: RawMessage): { id: unknown; json: string } | null {
  const { id, method } = message.value
  if (method !== undefined) return null
  const name = ['result', 'error'].find((each) => isObject(message.value[each]))
  return name === undefined ? null : { id, json: `{"${name}":${textOf(message, name)}}` }
}
