import {
  asObject,
  decodeInTurns,
  isObject,
  itemsInTurns,
  type JsonBounds,
  type JsonObject,
  type Member,
  membersInTurns,
  readJson,
} from '../../json/index.js'
import type { WaitForTurn } from '../../turns.js'
import { invalidRequestFault } from './rpc.js'

/** One message as it came: its value, and the text of it. */
export interface RawMessage {
  value: JsonObject
  text: string
  members: readonly Member[]
}

/** A request, or a notification where the id is null. */
export interface RpcRequest {
  /** As JSON. */
  idJson: string | null
  method: string
  params: JsonObject
  /** As the caller wrote them; `{}` where there are none. */
  paramsJson: string
  paramsMembers: readonly Member[]
  /** The text of `_meta`. */
  metaJson: string | null
}

/** The bounds of bodies of the gateway: far beyond what calls have, and few enough that no step takes long. */
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

/** What a body says: one message, or the messages of a batch. Whether each is one is for the classification to say. */
export async function readMessages(
  body: Buffer,
  waitForTurn: WaitForTurn,
  charge: (bytes: number) => void,
): Promise<{ value: unknown; messages: RawMessage[] }> {
  const { value } = await readJson(body, bodyBounds, waitForTurn, charge)
  const text = await decodeInTurns(body, waitForTurn)
  if (!Array.isArray(value)) return { value, messages: [await openMessage(value, text, waitForTurn)] }
  const places = await itemsInTurns(text, waitForTurn)
  const messages: RawMessage[] = []
  for (const [i, item] of value.entries()) {
    const { start, end } = places[i] ?? { start: 0, end: 0 }
    messages.push(await openMessage(item, text.slice(start, end), waitForTurn))
  }
  return { value, messages }
}

async function openMessage(value: unknown, text: string, waitForTurn: WaitForTurn): Promise<RawMessage> {
  return { value: asObject(value), text, members: await membersInTurns(text, waitForTurn) }
}

/** The text of a member; null where it is not there. */
export function textOf({ text, members }: Pick<RawMessage, 'text' | 'members'>, name: string): string | null {
  const member = members.find((each) => each.name === name)
  return member === undefined ? null : text.slice(member.valueStart, member.valueEnd)
}

/** The id of a request, as JSON, however little is right with the rest of it; null where it has none that it could have. */
export function idOf(message: RawMessage): string {
  const { id, method } = message.value
  const isId = typeof method === 'string' && (typeof id === 'string' || Number.isSafeInteger(id))
  const text = isId ? textOf(message, 'id') : null
  return text !== null && text.length <= maxIdLength ? text : 'null'
}

/** For what was classified as a request or a notification. */
export async function toRequest(message: RawMessage, waitForTurn: WaitForTurn): Promise<RpcRequest> {
  const { method, params } = message.value
  const idJson = textOf(message, 'id')
  if (idJson !== null && idJson.length > maxIdLength)
    throw invalidRequestFault(`The id is longer than ${maxIdLength} characters`)
  if (typeof method !== 'string' || method.length > maxMethodLength)
    throw invalidRequestFault(`The method is no text of at most ${maxMethodLength} characters`)
  const text = textOf(message, 'params') ?? '{}'
  const members = await membersInTurns(text, waitForTurn)
  const metaJson = textOf({ text, members }, '_meta')
  if (metaJson !== null && metaJson.length > maxMetaLength)
    throw invalidRequestFault(`_meta is longer than ${maxMetaLength} characters`)
  return { idJson, method, params: asObject(params), paramsJson: text, paramsMembers: members, metaJson }
}

/** A reply to a question: `{"result":…}` or `{"error":…}`, and whose it is. Null for what is no reply. */
export function toReply(message: RawMessage): { id: unknown; json: string } | null {
  const { id, method } = message.value
  if (method !== undefined) return null
  const name = ['result', 'error'].find((each) => isObject(message.value[each]))
  return name === undefined ? null : { id, json: `{"${name}":${textOf(message, name)}}` }
}
