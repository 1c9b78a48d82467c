import { sql } from 'kysely'
import { type Db, startPeriodic } from '../db/index.js'
import { listUndecryptableServers } from '../modules/mcp-servers/index.js'
import {
  listUndecryptablePolicies,
  type ServiceSecrets,
  sealGuardrailRoot,
} from '../modules/policies/index.js'
import { listUndecryptableProviders } from '../modules/providers/index.js'
import { listUndecryptableEndpoints, sealPlainSecrets } from '../modules/webhooks/index.js'
import type { Secrets } from '../secrets/index.js'

export interface SealingOptions {
  db: Db
  secrets: Secrets
  serviceSecrets: ServiceSecrets
  /** No other process serves this database. */
  isOnlyProcess: boolean
  warn(message: string): void
  onError(error: unknown): void
}

// A process that was not seen for this long is dead.
const deadAfterSeconds = 15
const retryEveryMs = 10_000
const checkEveryMs = 3_600_000
const maxListed = 10

/**
 * Seals what a version without sealing stored in plain text, and says which secrets cannot be opened. While a process of that version
 * serves, it waits: such a process would sign with what it finds in the emptied columns.
 */
export async function startSealing(options: SealingOptions): Promise<{ close(): Promise<void> }> {
  const { db, secrets, serviceSecrets, isOnlyProcess, warn, onError } = options
  let done = false

  async function seal(): Promise<void> {
    if (!isOnlyProcess && (await doesEarlierVersionServe(db))) return
    const count = await sealPlainSecrets(db, secrets)
    await sealGuardrailRoot(db, secrets)
    done = true
    if (count > 0) warn(`${count} webhook secrets that stood in the database in plain text are sealed now`)
  }

  await seal().catch(onError)
  for (const [what, ids] of [
    ['webhook endpoints', await listUndecryptableEndpoints(db, secrets)],
    ['http policies', await listUndecryptablePolicies(db, serviceSecrets)],
    ['providers', await listUndecryptableProviders(db, secrets)],
    ['MCP servers', await listUndecryptableServers(db, secrets)],
  ] as const) {
    const others = ids.length > maxListed ? ` and ${ids.length - maxListed} more` : ''
    if (ids.length > 0)
      warn(
        `The secrets of ${ids.length} ${what} cannot be opened: ${ids.slice(0, maxListed).join(', ')}${others}`,
      )
  }
  return startPeriodic({ run: seal, everyMs: () => (done ? checkEveryMs : retryEveryMs), onError })
}

async function doesEarlierVersionServe(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from processes
    where not opens_sealed and seen_at > now() - make_interval(secs => ${deadAfterSeconds}) limit 1`.execute(
    db,
  )
  return rows.length > 0
}
