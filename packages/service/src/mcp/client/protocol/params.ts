import { editMembers, isObject, type JsonObject } from '@tallystick/record/json'
import { readJson } from '../../../shared/read-json.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import { messageBounds } from './messages.js'

export interface PreparedParams {
  json: Buffer
  value: JsonObject
  /** The caller's progress token as JSON. Null when the caller did not ask for progress. */
  tokenJson: string | null
}

/**
 * Returns the params for a server. Only members of `_meta` change. The progress token is replaced by our own, because callers that share a
 * session or a process may choose the same one.
 */
export async function prepareParams(
  paramsJson: string,
  ownToken: number,
  envelope: JsonObject,
  yieldToEventLoop: YieldToEventLoop,
): Promise<PreparedParams> {
  const json = Buffer.from(paramsJson)
  const { value, members } = await readJson(json, messageBounds, yieldToEventLoop)
  if (!isObject(value)) throw new TypeError('params must be an object')
  const metaMember = members.find(({ name }) => name === '_meta')
  const meta = isObject(value._meta) ? value._meta : null
  const token = meta?.progressToken
  const hasToken = typeof token === 'string' || typeof token === 'number'

  const changes = new Map(Object.entries(envelope).map(([name, each]) => [name, JSON.stringify(each)]))
  if (hasToken) changes.set('progressToken', String(ownToken))
  if (changes.size === 0) return { json, value, tokenJson: null }
  const metaJson =
    metaMember !== undefined && meta !== null
      ? json.subarray(metaMember.valueStart, metaMember.valueEnd)
      : emptyObject
  const metaMembers = (await readJson(metaJson, messageBounds, yieldToEventLoop)).members
  const edited = editMembers(metaJson, metaMembers, changes)
  return {
    json: editMembers(json, members, new Map([['_meta', edited]])),
    value,
    tokenJson: hasToken ? JSON.stringify(token) : null,
  }
}

const emptyObject = Buffer.from('{}')

/** The reason in `notifications/cancelled`. */
export const cancelReason = 'The answer is no longer needed'

/** Writes a request, or a notification when the id is null. */
export function writeMessage(id: number | null, method: string, paramsJson: Buffer | string): Buffer {
  const head = `{"jsonrpc":"2.0",${id === null ? '' : `"id":${id},`}"method":${JSON.stringify(method)},"params":`
  return Buffer.concat([Buffer.from(head), Buffer.from(paramsJson), Buffer.from('}')])
}

/** Writes the reply to a request of the server. `replyJson` is `{"result":…}` or `{"error":…}`. */
export function writeReply(id: string | number, replyJson: string): Buffer {
  const rest = replyJson.slice(replyJson.indexOf('{') + 1)
  return Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}`)
}
