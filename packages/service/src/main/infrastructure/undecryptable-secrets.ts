import type { Db } from '../../db/index.js'
import { listUndecryptablePolicies, type ServiceSecrets } from '../../policies/index.js'
import { listUndecryptableServers } from '../../resources/mcp-servers/index.js'
import { listUndecryptableProviders } from '../../resources/providers/index.js'
import { listUndecryptableSinks } from '../../resources/sinks/index.js'
import { listUndecryptableEndpoints } from '../../resources/webhooks/index.js'
import type { Secrets } from '../../secrets/index.js'

const maxListed = 10

/** Warns about stored secrets that cannot be decrypted with the master keys of this process. */
export async function warnOfUndecryptableSecrets({
  db,
  secrets,
  serviceSecrets,
  warn,
}: {
  db: Db
  secrets: Secrets
  serviceSecrets: ServiceSecrets
  warn(message: string): void
}): Promise<void> {
  for (const [what, ids] of [
    ['webhook endpoints', await listUndecryptableEndpoints(db, secrets)],
    ['http policies', await listUndecryptablePolicies(db, serviceSecrets)],
    ['providers', await listUndecryptableProviders(db, secrets)],
    ['MCP servers', await listUndecryptableServers(db, secrets)],
    ['sinks', await listUndecryptableSinks(db, secrets)],
  ] as const) {
    const others = ids.length > maxListed ? ` and ${ids.length - maxListed} more` : ''
    if (ids.length > 0)
      warn(
        `The secrets of ${ids.length} ${what} cannot be decrypted: ${ids.slice(0, maxListed).join(', ')}${others}`,
      )
  }
}
