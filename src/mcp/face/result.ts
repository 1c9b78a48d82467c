import { editTextMembers, membersInTurns } from '../../json/index.js'
import type { WaitForTurn } from '../../turns.js'
import type { GovernedMethod } from '../call/contract.js'
import { changeItems, changeMembers, setMembers, type TextChange } from './edit-text.js'
import { isReserved, metaKeys } from './meta.js'
import { attribute, composeUri } from './names.js'
import { codes, RpcFault } from './rpc.js'

export interface ResultTerms {
  method: GovernedMethod
  isModern: boolean
  /** The name of the server; null where the caller sees that server alone. */
  composedFor: string | null
  /** Who we are, as JSON. */
  serverInfo: string
}

/** A server's result as its caller's protocol wants it. */
export async function resultForCaller(
  resultJson: string,
  terms: ResultTerms,
  waitForTurn: WaitForTurn,
): Promise<string> {
  const json = resultJson.trim()
  if (!json.startsWith('{'))
    throw new RpcFault({ code: codes.internalError, message: 'The result of the server is no object' })
  const composed =
    terms.composedFor === null ? json : await composeResult(json, terms.composedFor, waitForTurn)
  return terms.isModern ? toModern(composed, terms, waitForTurn) : toOlder(composed, waitForTurn)
}

async function toModern(json: string, terms: ResultTerms, waitForTurn: WaitForTurn): Promise<string> {
  const { method, serverInfo } = terms
  const seen: Record<string, string> = {}
  const look =
    (name: string): TextChange =>
    (text) => {
      seen[name] = text
      return text
    }
  await changeMembers(
    json,
    Object.fromEntries(['resultType', 'ttlMs', 'cacheScope', '_meta'].map((name) => [name, look(name)])),
    waitForTurn,
  )
  const resultType = seen.resultType ?? '"complete"'
  const isCacheable = method === 'resources/read' && resultType === '"complete"'
  const ownInfo = { [metaKeys.serverInfo]: serverInfo }
  const meta = seen._meta?.startsWith('{') ? seen._meta : '{}'
  return setMembers(
    json,
    {
      resultType,
      ...(isCacheable && {
        ttlMs: /^\d{1,15}$/.test(seen.ttlMs ?? '') ? (seen.ttlMs ?? '0') : '0',
        // What one caller may read, another may not.
        cacheScope: '"private"',
      }),
      _meta: await setMembers(meta, ownInfo, waitForTurn),
    },
    waitForTurn,
  )
}

/** Older callers know no `resultType`, nor what newer servers say of themselves, and refuse structured content that is no object. */
const toOlder = (json: string, waitForTurn: WaitForTurn): Promise<string> =>
  changeMembers(
    json,
    {
      resultType: () => null,
      _meta: (text) => withoutReserved(text, waitForTurn),
      structuredContent: (text) => (text.startsWith('{') ? text : `{"result":${text}}`),
    },
    waitForTurn,
  )

async function withoutReserved(metaJson: string, waitForTurn: WaitForTurn): Promise<string | null> {
  const members = await membersInTurns(metaJson, waitForTurn)
  const reserved = members.filter(({ name }) => isReserved(name))
  if (reserved.length === 0) return metaJson
  if (reserved.length === members.length) return null
  return editTextMembers(metaJson, members, new Map(reserved.map(({ name }) => [name, null])))
}

/** URIs as the caller can read them, and questions with the name of who asks. */
function composeResult(json: string, server: string, waitForTurn: WaitForTurn): Promise<string> {
  const uri: TextChange = (text) =>
    text.startsWith('"') ? JSON.stringify(composeUri(server, JSON.parse(text))) : text
  const inside = (changes: Record<string, TextChange>) => (text: string) =>
    changeMembers(text, changes, waitForTurn)
  const block = inside({ uri, resource: inside({ uri }) })
  const each = (change: (text: string) => Promise<string>) => (text: string) =>
    changeItems(text, change, waitForTurn)
  const blocks = (text: string) => (text.startsWith('[') ? each(block)(text) : block(text))
  const message: TextChange = (text) =>
    text.startsWith('"') ? JSON.stringify(attribute(server, JSON.parse(text))) : text
  return changeMembers(
    json,
    {
      content: blocks,
      contents: each(inside({ uri })),
      messages: each(inside({ content: blocks })),
      // By names that the server chose.
      inputRequests: (text) => changeMembers(text, inside({ params: inside({ message }) }), waitForTurn),
    },
    waitForTurn,
  )
}
