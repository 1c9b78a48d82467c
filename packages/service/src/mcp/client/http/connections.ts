import { createHash } from 'node:crypto'
import type { JsonObject } from '@tallystick/record/json'
import type { ToolServer } from '../../../resources/mcp-servers/index.js'
import type { UpstreamSessions } from '../../../resources/mcp-sessions/index.js'
import type { UpstreamOwner } from '../contract.js'
import { isModern } from '../protocol/sdk.js'
import type { HandshakeResult } from './handshake.js'

/** The result of a handshake with a server, which later requests use. */
export interface Connection {
  protocolVersion: string
  sessionId: string | null
  /** The name of the owner in the table of sessions. Empty when there is no stored session. */
  owner: string
}

/** The key and user for whom a session with a server is opened. */
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

export type PerformHandshake = (isLegacy: boolean) => Promise<HandshakeResult & { sessionId: string | null }>

export interface FoundConnection {
  connection: Connection
  /** Whether a handshake took place for this request. */
  isNew: boolean
}

interface CachedConnection {
  connection: Connection
  untilMs: number
}

// An upgrade of a server to another protocol version is noticed after this time.
const versionTtlMs = 600_000
const sessionTtlMs = 3_600_000
const maxCached = 10_000

/** Caches connections: one per server for the newer protocol, and one session per owner for the older one. */
export function createConnections({ sessions, onError, now = Date.now }: ConnectionsOptions) {
  // Bounded: 10,000; the oldest is dropped.
  const cached = new Map<string, CachedConnection>()
  // Bounded: open handshakes.
  const handshakes = new Map<string, Promise<FoundConnection>>()
  /** The servers that do not support the newer protocol, with the time until which this is assumed. */
  // Bounded: 10,000; the oldest is dropped.
  const legacy = new Map<string, number>()

  function readCached(key: string): Connection | null {
    const found = cached.get(key)
    if (found === undefined || found.untilMs <= now()) return null
    return found.connection
  }

  function addToCache(key: string, connection: Connection): void {
    cached.delete(key)
    cached.set(key, {
      connection,
      untilMs: now() + (connection.sessionId === null ? versionTtlMs : sessionTtlMs),
    })
    dropOldest(cached)
  }

  const keysOf = (server: ToolServer, owner: string) => {
    const serverKey = serverKeyOf(server)
    return { serverKey, ownerKey: `${serverKey} ${owner}` }
  }

  async function connect(
    server: ToolServer,
    { name: owner, keyId, userId }: SessionOwner,
    performHandshake: PerformHandshake,
  ): Promise<FoundConnection> {
    const { serverKey, ownerKey } = keysOf(server, owner)
    // While the database is unavailable, replicas do not share sessions.
    const stored = await sessions.find(server, owner).catch(onError)
    if (stored) {
      const { protocolVersion, sessionId } = stored
      const connection = { protocolVersion, sessionId, owner }
      addToCache(ownerKey, connection)
      return { connection, isNew: false }
    }
    const isLegacy = (legacy.get(serverKey) ?? 0) > now()
    const { protocolVersion, sessionId } = await performHandshake(isLegacy)
    setVersion(server, protocolVersion)
    const connection = { protocolVersion, sessionId, owner }
    if (isModern(protocolVersion)) return { connection, isNew: true }
    addToCache(ownerKey, connection)
    if (sessionId !== null)
      await sessions.keep(server, owner, { protocolVersion, sessionId, keyId, userId }).catch(onError)
    return { connection, isNew: true }
  }

  function setVersion(server: ToolServer, protocolVersion: string): void {
    const { serverKey } = keysOf(server, '')
    legacy.delete(serverKey)
    cached.delete(serverKey)
    if (isModern(protocolVersion)) addToCache(serverKey, { protocolVersion, sessionId: null, owner: '' })
    else {
      legacy.set(serverKey, now() + versionTtlMs)
      dropOldest(legacy)
    }
  }

  return {
    /** Returns a connection. Concurrent calls of one owner share one handshake, including its failure. */
    async find(
      server: ToolServer,
      owner: SessionOwner,
      performHandshake: PerformHandshake,
    ): Promise<FoundConnection> {
      const { serverKey, ownerKey } = keysOf(server, owner.name)
      const connection = readCached(serverKey) ?? readCached(ownerKey)
      if (connection !== null) return { connection, isNew: false }
      let connecting = handshakes.get(ownerKey)
      if (connecting === undefined) {
        connecting = connect(server, owner, performHandshake).finally(() => handshakes.delete(ownerKey))
        handshakes.set(ownerKey, connecting)
      }
      return await connecting
    },

    /** Stores the protocol version from the latest handshake with a server. */
    setVersion,

    /** Removes a connection that the server no longer accepts. */
    async forget(server: ToolServer, { owner, sessionId }: Connection): Promise<void> {
      const { serverKey, ownerKey } = keysOf(server, owner)
      for (const key of [serverKey, ownerKey])
        if (cached.get(key)?.connection.sessionId === sessionId) cached.delete(key)
      if (sessionId !== null) await sessions.forget(server, owner, sessionId).catch(onError)
    },

    /** Removes the connections of a caller's session from the cache. The caller removes the stored sessions. */
    forgetOwner(ownerPrefix: string): void {
      for (const [key, { connection }] of cached)
        if (connection.owner.startsWith(ownerPrefix)) cached.delete(key)
    },
  }
}

export type Connections = ReturnType<typeof createConnections>

function dropOldest(map: Map<string, unknown>): void {
  if (map.size <= maxCached) return
  for (const key of map.keys()) {
    map.delete(key)
    return
  }
}

const hash = (...parts: (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

const urlOf = ({ transport }: ToolServer): string => (transport.type === 'http' ? transport.url : '')

const serverKeyOf = (server: ToolServer): string => `${server.tenantId} ${server.id} ${hash(urlOf(server))}`

/** Returns the prefix of the owners' names of all sessions with servers that belong to one session of a caller. */
export const ownerPrefixOf = (session: string): string => `s:${hash(session)}:`

/**
 * Returns the owner of a session with a server. Callers never share a session, because a server may store what it receives in it. The owner
 * also differs by capabilities, credential and address, so that a change of any of them opens a new session.
 */
export function sessionOwnerOf(
  server: ToolServer,
  { session, keyId, userId, authorization }: UpstreamOwner,
  capabilities: JsonObject,
): SessionOwner {
  const credential = server.auth.type === 'passthrough' ? authorization : (userId ?? keyId)
  const prefix = session === null ? `k:${hash(keyId)}:` : ownerPrefixOf(session)
  const rest = hash(urlOf(server), server.auth.type, credential, JSON.stringify(capabilities))
  return { name: `${prefix}${rest}`, keyId, userId }
}
