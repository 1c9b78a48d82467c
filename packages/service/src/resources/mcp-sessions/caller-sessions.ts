import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Changes, Db } from '../../db/index.js'
import { type CallerSession, maxSessionMs, type SessionTokens } from './session-token.js'

/** Sessions of callers that use the protocol before 2026-07-28. */
export interface CallerSessions {
  begin(start: Omit<CallerSession, 'id' | 'startedAtMs'>): { session: CallerSession; token: string }
  /** Returns null when the token is not valid, has expired or ended, or belongs to another key or path. */
  find(token: string, of: Pick<CallerSession, 'tenantId' | 'keyId' | 'server'>): Promise<CallerSession | null>
  end(session: CallerSession): Promise<void>
  setLogLevel(session: CallerSession, level: string): Promise<void>
  /** Returns null when the caller has not set a log level. */
  logLevelOf(session: CallerSession): Promise<string | null>
}

interface SessionState {
  tenantId: string
  ended: boolean
  logLevel: string | null
}

const maxCached = 10_000

export function createCallerSessions(options: {
  db: Db
  changes: Changes
  tokens: SessionTokens
  now?: () => number
}): CallerSessions {
  const { db, changes, tokens, now = Date.now } = options
  /** By session id. */
  // Bounded: 10,000; the oldest goes.
  const states = new Map<string, SessionState>()
  let generation = 0

  changes.subscribe({
    onChange({ table, tenantId }) {
      if (table !== 'mcp_caller_sessions') return
      generation += 1
      for (const [id, state] of states) if (state.tenantId === tenantId) states.delete(id)
    },
    onGap() {
      generation += 1
      states.clear()
    },
  })

  async function stateOf({ tenantId, id }: CallerSession): Promise<SessionState> {
    const known = changes.connected() ? states.get(id) : undefined
    if (known !== undefined) return known
    const asOf = generation
    const row = await db
      .selectFrom('mcp_caller_sessions')
      .select(['ended', 'log_level'])
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst()
    const state = { tenantId, ended: row?.ended ?? false, logLevel: row?.log_level ?? null }
    if (asOf === generation && changes.connected()) keep(id, state)
    return state
  }

  function keep(id: string, state: SessionState): void {
    states.set(id, state)
    const [oldest] = states.keys()
    if (states.size > maxCached && oldest !== undefined) states.delete(oldest)
  }

  async function write(session: CallerSession, change: { ended?: true; log_level?: string }): Promise<void> {
    const { tenantId, id, startedAtMs } = session
    await db
      .insertInto('mcp_caller_sessions')
      .values({ tenant_id: tenantId, id, expires_at: new Date(startedAtMs + maxSessionMs), ...change })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doUpdateSet(change))
      .execute()
    // The notification arrives a moment later.
    generation += 1
    states.delete(id)
  }

  return {
    begin(start) {
      const session = { ...start, id: randomBytes(16).toString('hex'), startedAtMs: now() }
      return { session, token: tokens.seal(session) }
    },
    async find(token, { tenantId, keyId, server }) {
      const session = tokens.open(token)
      if (session === null) return null
      const isOwn = session.tenantId === tenantId && session.keyId === keyId && session.server === server
      return isOwn && !(await stateOf(session)).ended ? session : null
    },
    end: (session) => write(session, { ended: true }),
    setLogLevel: (session, level) => write(session, { log_level: level }),
    logLevelOf: async (session) => (await stateOf(session)).logLevel,
  }
}

/** Deletes states of expired tokens, which are refused anyway. */
export async function deleteOldCallerSessions(db: Db): Promise<void> {
  await sql`delete from mcp_caller_sessions where expires_at < now()`.execute(db)
}
