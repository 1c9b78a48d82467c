import { sql } from 'kysely'
import type { Db } from '../../db/index.js'

export interface RefusedCall {
  tenantId: string
  keyId: string
  userId: string | null
  teamId: string | null
  provider: string
  model: string
}

/** Counts refusals by rate limit. They leave no receipt: a caller in a loop would fill the record with them. */
export interface RateLimitedCounter {
  count(call: RefusedCall): void
  close(): Promise<void>
}

const flushEveryMs = 1_000

export function createRateLimitedCounter(options: { db: Db; onError(error: unknown): void }): RateLimitedCounter {
  const { db, onError } = options
  let pending = new Map<string, { call: RefusedCall; hour: string; refusals: number }>()

  async function flush(): Promise<void> {
    const batch = pending
    pending = new Map()
    for (const { call, hour, refusals } of batch.values()) {
      await sql`insert into usage_hours as u (tenant_id, hour, key_id, user_id, team_id, provider, model, rate_limited)
        values (${call.tenantId}, ${hour}, ${call.keyId}, ${call.userId ?? ''}, ${call.teamId ?? ''}, ${call.provider},
          ${call.model}, ${refusals})
        on conflict (tenant_id, hour, key_id, user_id, team_id, provider, model)
        do update set rate_limited = u.rate_limited + excluded.rate_limited`.execute(db)
    }
  }
  const timer = setInterval(() => flush().catch(onError), flushEveryMs).unref()

  return {
    count(call) {
      const hour = `${new Date().toISOString().slice(0, 13)}:00:00Z`
      const name = [hour, call.tenantId, call.keyId, call.userId, call.teamId, call.provider, call.model].join('\n')
      const known = pending.get(name)
      if (known) known.refusals++
      else pending.set(name, { call, hour, refusals: 1 })
    },
    async close() {
      clearInterval(timer)
      await flush().catch(onError)
    },
  }
}
