import { editTextMembers, readMembersInSlices } from '@tallystick/record/json'
import type { CallMethod } from '../../../calls/tool/index.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import { changeItems, changeMembers, setMembers, type TextChange } from '../protocol/edit-json.js'
import { isReserved, metaKeys } from '../protocol/meta.js'
import { attribute, composeUri } from '../protocol/names.js'
import { codes, RpcFault } from '../protocol/rpc.js'

export interface ResultOptions {
  method: CallMethod
  isModern: boolean
  /** The name of the server. Null when the caller sees only that server. */
  composedFor: string | null
  /** The name and version of this service, as JSON. */
  serverInfo: string
}

/** Converts a server's result to the protocol version of the caller. */
export async function resultForCaller(
  resultJson: string,
  options: ResultOptions,
  yieldToEventLoop: YieldToEventLoop,
): Promise<string> {
  const json = resultJson.trim()
  if (!json.startsWith('{'))
    throw new RpcFault({ code: codes.internalError, message: 'The result of the server is not an object' })
  const composed =
    options.composedFor === null ? json : await composeResult(json, options.composedFor, yieldToEventLoop)
  return options.isModern
    ? toModern(composed, options, yieldToEventLoop)
    : toOlder(composed, yieldToEventLoop)
}

async function toModern(
  json: string,
  options: ResultOptions,
  yieldToEventLoop: YieldToEventLoop,
): Promise<string> {
  const { method, serverInfo } = options
  const found: Record<string, string> = {}
  const collect =
    (name: string): TextChange =>
    (text) => {
      found[name] = text
      return text
    }
  await changeMembers(
    json,
    Object.fromEntries(['resultType', 'ttlMs', 'cacheScope', '_meta'].map((name) => [name, collect(name)])),
    yieldToEventLoop,
  )
  const resultType = found.resultType ?? '"complete"'
  const isCacheable = method === 'resources/read' && resultType === '"complete"'
  const ownInfo = { [metaKeys.serverInfo]: serverInfo }
  const meta = found._meta?.startsWith('{') ? found._meta : '{}'
  return setMembers(
    json,
    {
      resultType,
      ...(isCacheable && {
        ttlMs: /^\d{1,15}$/.test(found.ttlMs ?? '') ? (found.ttlMs ?? '0') : '0',
        // Other callers may not be permitted to read the resource.
        cacheScope: '"private"',
      }),
      _meta: await setMembers(meta, ownInfo, yieldToEventLoop),
    },
    yieldToEventLoop,
  )
}

/** Removes what older callers do not know: `resultType` and reserved members of `_meta`. Wraps structured content that is not an object. */
const toOlder = (json: string, yieldToEventLoop: YieldToEventLoop): Promise<string> =>
  changeMembers(
    json,
    {
      resultType: () => null,
      _meta: (text) => withoutReserved(text, yieldToEventLoop),
      structuredContent: (text) => (text.startsWith('{') ? text : `{"result":${text}}`),
    },
    yieldToEventLoop,
  )

async function withoutReserved(metaJson: string, yieldToEventLoop: YieldToEventLoop): Promise<string | null> {
  const members = await readMembersInSlices(metaJson, yieldToEventLoop)
  const reserved = members.filter(({ name }) => isReserved(name))
  if (reserved.length === 0) return metaJson
  if (reserved.length === members.length) return null
  return editTextMembers(metaJson, members, new Map(reserved.map(({ name }) => [name, null])))
}

/** Rewrites URIs for callers that see all servers, and adds the name of the server to questions. */
function composeResult(json: string, server: string, yieldToEventLoop: YieldToEventLoop): Promise<string> {
  const uri: TextChange = (text) =>
    text.startsWith('"') ? JSON.stringify(composeUri(server, JSON.parse(text))) : text
  const inside = (changes: Record<string, TextChange>) => (text: string) =>
    changeMembers(text, changes, yieldToEventLoop)
  const block = inside({ uri, resource: inside({ uri }) })
  const each = (change: (text: string) => Promise<string>) => (text: string) =>
    changeItems(text, change, yieldToEventLoop)
  const blocks = (text: string) => (text.startsWith('[') ? each(block)(text) : block(text))
  const message: TextChange = (text) =>
    text.startsWith('"') ? JSON.stringify(attribute(server, JSON.parse(text))) : text
  return changeMembers(
    json,
    {
      content: blocks,
      contents: each(inside({ uri })),
      messages: each(inside({ content: blocks })),
      // The members of `inputRequests` have names that the server chose.
      inputRequests: (text) => changeMembers(text, inside({ params: inside({ message }) }), yieldToEventLoop),
    },
    yieldToEventLoop,
  )
}
