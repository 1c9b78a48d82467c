import { editMembers, isObject, type JsonObject } from '@tallystick/record/json'
import { readJson } from '../../../shared/read-json.js'
import type { WaitForTurn } from '../../../shared/turns.js'
import { messageBounds } from './messages.js'

export interface PreparedParams {
  json: Buffer
  value: JsonObject
  /** The caller's own progress token as JSON; null where it wants no progress. */
  tokenJson: string | null
}

/**
 * The params as they go to a server: as they came, but for members of `_meta`. The progress token is one of ours, for callers who
 * share a session or a process choose the same ones.
 */
export async function prepareParams(
  paramsJson: string,
  ownToken: number,
  envelope: JsonObject,
  waitForTurn: WaitForTurn,
): Promise<PreparedParams> {
  const json = Buffer.from(paramsJson)
  const { value, members } = await readJson(json, messageBounds, waitForTurn)
  if (!isObject(value)) throw new TypeError('params must be an object')
  const place = members.find(({ name }) => name === '_meta')
  const meta = isObject(value._meta) ? value._meta : null
  const token = meta?.progressToken
  const hasToken = typeof token === 'string' || typeof token === 'number'

  const changes = new Map(Object.entries(envelope).map(([name, each]) => [name, JSON.stringify(each)]))
  if (hasToken) changes.set('progressToken', String(ownToken))
  if (changes.size === 0) return { json, value, tokenJson: null }
  const metaJson =
    place !== undefined && meta !== null ? json.subarray(place.valueStart, place.valueEnd) : emptyObject
  const metaMembers = (await readJson(metaJson, messageBounds, waitForTurn)).members
  const edited = editMembers(metaJson, metaMembers, changes)
  return {
    json: editMembers(json, members, new Map([['_meta', edited]])),
    value,
    tokenJson: hasToken ? JSON.stringify(token) : null,
  }
}

const emptyObject = Buffer.from('{}')

/** A request or notification as one message. */
export function writeMessage(id: number | null, method: string, paramsJson: Buffer | string): Buffer {
  const head = `{"jsonrpc":"2.0",${id === null ? '' : `"id":${id},`}"method":${JSON.stringify(method)},"params":`
  return Buffer.concat([Buffer.from(head), Buffer.from(paramsJson), Buffer.from('}')])
}

/** The reply to a request of the server: `{"result":…}` or `{"error":…}` with its id. */
export function writeReply(id: string | number, replyJson: string): Buffer {
  const rest = replyJson.slice(replyJson.indexOf('{') + 1)
  return Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}`)
}
