import { type Db, inTransaction } from '../../db/index.js'
import { BoundedMap } from '../../shared/bounded-map.js'
import { type Actor, recordChange } from '../audit/index.js'
import type { SignInOrigin } from './manage.js'
import { shortenUserAgent } from './user-agent.js'

export interface Refusal {
  actor: Actor
  /** The key, the user or the session that was to be opened. */
  subjectId: string
  reason: string
  place: SignInOrigin
  /** The person, as far as the issuer vouches for them. */
  email?: string | null
}

const windowMs = 3_600_000
const maxPerWindow = 20
const maxTenants = 10_000

/**
 * Records failed sign-ins in the audit log of the tenant that they were for. A stranger can make any number, so
 * each process records a limited number an hour, and the last entry states this. A value that is nobody's key has
 * no tenant; it is only logged.
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
