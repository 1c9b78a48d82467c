import { createHash } from 'node:crypto'
import { asObject, editTextMembers, type JsonObject, membersOf } from '../../json/index.js'
import type { CallerSession } from '../../modules/mcp-sessions/index.js'
import { isSessionId } from '../../tags.js'
import { invalidParams } from './rpc.js'

const reservedPrefix = 'io.modelcontextprotocol/'
export const metaKeys = {
  capabilities: `${reservedPrefix}clientCapabilities`,
  logLevel: `${reservedPrefix}logLevel`,
  serverInfo: `${reservedPrefix}serverInfo`,
  subscriptionId: `${reservedPrefix}subscriptionId`,
} as const

/** What a caller files its calls under, where it sets no header. */
const sessionKey = 'tallystick/session'
/** Codex says here which run of it calls; its calls of models say the same in a header. */
const codexKey = 'x-codex-turn-metadata'

export const metaOf = (params: JsonObject): JsonObject => asObject(params._meta)

/** The `_meta` of a request less what is said to us alone; null where nothing is left. `metaJson` is the text of it. */
export function metaForServer(metaJson: string): string | null {
  const members = membersOf(metaJson)
  const dropped = members.filter(({ name }) => isForUs(name))
  if (dropped.length === members.length) return null
  return editTextMembers(metaJson, members, new Map(dropped.map(({ name }) => [name, null])))
}

/** For the protocol itself. */
export const isReserved = (name: string): boolean => name.startsWith(reservedPrefix)
const isForUs = (name: string) => isReserved(name) || name === sessionKey

/** The session that a call is filed under, where no header says one. */
export function filedSessionOf(params: JsonObject, session: CallerSession | null): string | null {
  const own = metaOf(params)[sessionKey]
  if (own !== undefined && (typeof own !== 'string' || !isSessionId(own)))
    throw invalidParams(
      `_meta: ${sessionKey} must have 1 to 128 printable characters, and be neither * nor a virtual key`,
    )
  if (own !== undefined) return own
  const agents = asObject(metaOf(params)[codexKey]).session_id
  // Another program's member, which nobody here asked for: what cannot be a session is none.
  if (typeof agents === 'string' && isSessionId(agents)) return agents
  if (session === null) return null
  return `mcp-${createHash('sha256').update(session.id).digest('hex').slice(0, 16)}`
}

/** The text of the caller's token for progress; null where it wants none. */
export function progressTokenOf(metaJson: string | null): string | null {
  if (metaJson === null) return null
  const member = membersOf(metaJson).find(({ name }) => name === 'progressToken')
  return member === undefined ? null : metaJson.slice(member.valueStart, member.valueEnd)
}
