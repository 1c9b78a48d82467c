import { createHash } from 'node:crypto'
import { asObject, editTextMembers, type JsonObject, membersOf } from '@tallystick/record/json'
import type { CallerSession } from '../../../resources/mcp-sessions/index.js'
import { isSessionId } from '../../../shared/tags.js'
import { invalidParams } from './rpc.js'

const reservedPrefix = 'io.modelcontextprotocol/'
export const metaKeys = {
  capabilities: `${reservedPrefix}clientCapabilities`,
  logLevel: `${reservedPrefix}logLevel`,
  serverInfo: `${reservedPrefix}serverInfo`,
  subscriptionId: `${reservedPrefix}subscriptionId`,
} as const

/** The member of `_meta` that sets the session label when no header does. */
const sessionKey = 'tallystick/session'
/** The member in which Codex sends the id of its run. Its model calls send the same id in a header. */
const codexKey = 'x-codex-turn-metadata'

export const metaOf = (params: JsonObject): JsonObject => asObject(params._meta)

/** Returns the `_meta` of a request without the members for this service. Null when nothing is left. `metaJson` is its text. */
export function metaForServer(metaJson: string): string | null {
  const members = membersOf(metaJson)
  const dropped = members.filter(({ name }) => isForUs(name))
  if (dropped.length === members.length) return null
  return editTextMembers(metaJson, members, new Map(dropped.map(({ name }) => [name, null])))
}

/** True for names that the protocol reserves. */
export const isReserved = (name: string): boolean => name.startsWith(reservedPrefix)
const isForUs = (name: string) => isReserved(name) || name === sessionKey

/** Returns the session label of a call when no header sets one. */
export function sessionLabelOf(params: JsonObject, session: CallerSession | null): string | null {
  const own = metaOf(params)[sessionKey]
  if (own !== undefined && (typeof own !== 'string' || !isSessionId(own)))
    throw invalidParams(
      `_meta: ${sessionKey} must have 1 to 128 printable characters, and be neither * nor a virtual key`,
    )
  if (own !== undefined) return own
  const agents = asObject(metaOf(params)[codexKey]).session_id
  // The member belongs to another program, so an invalid value is ignored.
  if (typeof agents === 'string' && isSessionId(agents)) return agents
  if (session === null) return null
  return `mcp-${createHash('sha256').update(session.id).digest('hex').slice(0, 16)}`
}

/** Returns the text of the caller's progress token. Null when the caller did not ask for progress. */
export function progressTokenOf(metaJson: string | null): string | null {
  if (metaJson === null) return null
  const member = membersOf(metaJson).find(({ name }) => name === 'progressToken')
  return member === undefined ? null : metaJson.slice(member.valueStart, member.valueEnd)
}
