import { createHash } from 'node:crypto'
import type { JsonObject } from '@tallystick/record/json'
import type { McpServerTerms } from '../../../resources/mcp-servers/index.js'
import type { UpstreamSessions } from '../../../resources/mcp-sessions/index.js'
import type { UpstreamOwner } from '../contract.js'
import { isModern } from '../protocol/sdk.js'
import type { Introduction } from './handshake.js'

/** What was agreed on with a server, for all requests that follow. */
export interface Connection {
  protocolVersion: string
  sessionId: string | null
  /** Whose it is, in the table of sessions. */
  owner: string
}

/** For whom a session of a server is opened. */
export interface SessionOwner {
  name: string
  keyId: string
  userId: string | null
}

export interface ConnectionsOptions {
  sessions: Pick<UpstreamSessions, 'find' | 'keep' | 'forget'>
  onError(error: unknown): void
  now?: () => number
}

export type ShakeHands = (isLegacy: boolean) => Promise<Introduction & { sessionId: string | null }>

/** New: the server gave it just now. */
export interface Found {
  connection: Connection
  isNew: boolean
}

interface Known {
  connection: Connection
  untilMs: number
}

// A server that was replaced by a newer version is noticed after this.
const rememberMs = 600_000
const rememberSessionMs = 3_600_000
const maxKnown = 10_000

/** Remembers how to speak to servers: newer ones by their version, older ones by a session for each caller. */
export function createConnections({ sessions, onError, now = Date.now }: ConnectionsOptions) {
  // Bounded: 10,000; the oldest goes.
  const known = new Map<string, Known>()
  // Bounded: handshakes under way.
  const underWay = new Map<string, Promise<Found>>()
  /** Servers that do not speak the newer protocol. */
  // Bounded: 10,000; the oldest goes.
  const legacy = new Map<string, number>()

  function recall(key: string): Connection | null {
    const found = known.get(key)
    if (found === undefined || found.untilMs <= now()) return null
    return found.connection
  }

  function remember(key: string, connection: Connection): void {
    known.delete(key)
    known.set(key, {
      connection,
      untilMs: now() + (connection.sessionId === null ? rememberMs : rememberSessionMs),
    })
    dropOldest(known)
  }

  const keysOf = (server: McpServerTerms, owner: string) => {
    const place = placeOf(server)
    return { place, own: `${place} ${owner}` }
  }

  async function connect(
    server: McpServerTerms,
    { name: owner, keyId, userId }: SessionOwner,
    shakeHands: ShakeHands,
  ): Promise<Found> {
    const { place, own } = keysOf(server, owner)
    // Without the database a session is this replica's alone.
    const stored = await sessions.find(server, owner).catch(onError)
    if (stored) {
      const { protocolVersion, sessionId } = stored
      const connection = { protocolVersion, sessionId, owner }
      remember(own, connection)
      return { connection, isNew: false }
    }
    const isLegacy = (legacy.get(place) ?? 0) > now()
    const { protocolVersion, sessionId } = await shakeHands(isLegacy)
    noteVersion(server, protocolVersion)
    const connection = { protocolVersion, sessionId, owner }
    if (isModern(protocolVersion)) return { connection, isNew: true }
    remember(own, connection)
    if (sessionId !== null)
      await sessions.keep(server, owner, { protocolVersion, sessionId, keyId, userId }).catch(onError)
    return { connection, isNew: true }
  }

  function noteVersion(server: McpServerTerms, protocolVersion: string): void {
    const { place } = keysOf(server, '')
    legacy.delete(place)
    known.delete(place)
    if (isModern(protocolVersion)) remember(place, { protocolVersion, sessionId: null, owner: '' })
    else {
      legacy.set(place, now() + rememberMs)
      dropOldest(legacy)
    }
  }

  return {
    /** Calls of one owner at the same time share one handshake, and its failure. */
    async find(server: McpServerTerms, owner: SessionOwner, shakeHands: ShakeHands): Promise<Found> {
      const { place, own } = keysOf(server, owner.name)
      const recalled = recall(place) ?? recall(own)
      if (recalled !== null) return { connection: recalled, isNew: false }
      let connecting = underWay.get(own)
      if (connecting === undefined) {
        connecting = connect(server, owner, shakeHands).finally(() => underWay.delete(own))
        underWay.set(own, connecting)
      }
      return await connecting
    },

    /** A server introduced itself with this version. */
    noteVersion,

    /** The server does not know it any more. */
    async forget(server: McpServerTerms, { owner, sessionId }: Connection): Promise<void> {
      const { place, own } = keysOf(server, owner)
      for (const key of [place, own])
        if (known.get(key)?.connection.sessionId === sessionId) known.delete(key)
      if (sessionId !== null) await sessions.forget(server, owner, sessionId).catch(onError)
    },

    /** The connections of a caller's session are dropped from memory; their rows are the store's. */
    forgetOwner(ownerPrefix: string): void {
      for (const [key, { connection }] of known)
        if (connection.owner.startsWith(ownerPrefix)) known.delete(key)
    },
  }
}

export type Connections = ReturnType<typeof createConnections>

function dropOldest(map: Map<string, unknown>): void {
  if (map.size <= maxKnown) return
  for (const key of map.keys()) {
    map.delete(key)
    return
  }
}

const hash = (...parts: (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

const urlOf = ({ reach }: McpServerTerms): string => (reach.type === 'http' ? reach.url : '')

const placeOf = (server: McpServerTerms): string => `${server.tenantId} ${server.id} ${hash(urlOf(server))}`

/** All sessions of servers that belong to one session of a caller begin with this. */
export const ownerPrefixOf = (session: string): string => `s:${hash(session)}:`

/**
 * Whose a session of a server is. Callers never share one: a server may keep in it what it was told. It is another one too where
 * the caller can do other things, has another credential, or the server another address.
 */
export function sessionOwnerOf(
  server: McpServerTerms,
  { session, keyId, userId, authorization }: UpstreamOwner,
  capabilities: JsonObject,
): SessionOwner {
  const credential = server.auth.type === 'passthrough' ? authorization : (userId ?? keyId)
  const prefix = session === null ? `k:${hash(keyId)}:` : ownerPrefixOf(session)
  const rest = hash(urlOf(server), server.auth.type, credential, JSON.stringify(capabilities))
  return { name: `${prefix}${rest}`, keyId, userId }
}
