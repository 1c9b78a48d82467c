import { BoundedMap } from '../../bounded-map.js'
import { type Db, inTransaction } from '../../db/index.js'
import { type Actor, recordChange } from '../audit/index.js'
import type { SignInPlace } from './manage.js'
import { shortenUserAgent } from './user-agent.js'

export interface Refusal {
  actor: Actor
  /** The key, the user or the session that was to be opened. */
  subjectId: string
  reason: string
  place: SignInPlace
  /** Who it was, as far as the issuer vouches for it. */
  email?: string | null
}

const windowMs = 3_600_000
const maxPerWindow = 20
const maxTenants = 10_000

/**
 * Sign-ins that failed, for the audit log of the tenant that they were meant for. A stranger can make as many as it likes: in an hour,
 * so many are recorded by each process, and the last of them says so. A value that is nobody's key has no tenant; the log has a line.
 */
export class SignInRefusals {
  readonly #db: Db
  readonly #byTenant = new BoundedMap<string, { since: number; count: number }>(maxTenants)

  constructor(db: Db) {
    this.#db = db
  }

  async record({ actor, subjectId, reason, place, email }: Refusal): Promise<void> {
    const { tenantId } = actor
    const now = Date.now()
    const known = this.#byTenant.get(tenantId)
    const window = known !== undefined && known.since > now - windowMs ? known : { since: now, count: 0 }
    this.#byTenant.set(tenantId, window)
    if (window.count >= maxPerWindow) return
    window.count += 1
    await inTransaction(this.#db, async (tx) => {
      await recordChange(tx, actor, {
        action: 'session.refuse',
        subjectId,
        before: null,
        after: {
          reason,
          ip: place.ip,
          userAgent: shortenUserAgent(place.userAgent),
          ...(email && { email }),
          ...(window.count === maxPerWindow && { note: 'further refusals within the hour are not recorded' }),
        },
      })
    })
  }
}
