import type { Db } from '../../db/index.js'
import { type App, ById, isOwnedBy, ownerFilter, principalOf } from '../../http/index.js'
import { findKey } from '../../resources/keys/index.js'
import { notFound } from '../../shared/errors.js'
import { type KeyStandingParts, readKeyStanding } from './read.js'
import { KeyStanding } from './schema.js'

export type { KeyStandingParts } from './read.js'

export function registerKeyStandingRoutes(app: App, parts: KeyStandingParts & { db: Db }): void {
  app.get(
    '/v1/keys/:id/standing',
    {
      config: { access: 'member', errors: ['not_found', 'unavailable'] },
      schema: {
        tags: ['Keys'],
        operationId: 'getKeyStanding',
        summary: 'Get the current limits of a key',
        description:
          'Returns what the key has used of its rate limits in the last minute, and what is left of every spending limit that applies to its calls. The figures come from the same counters that admit calls; reading them does not count as a call. Members can read only their own keys.',
        params: ById,
        response: { 200: KeyStanding },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const row = await findKey(parts.db, principal.tenantId, request.params.id)
      const own = ownerFilter(principal)
      if (!row || !(own === null || isOwnedBy(own, { userId: row.user_id, keyId: row.id })))
        throw notFound('key')
      return await readKeyStanding(parts, row)
    },
  )
}
