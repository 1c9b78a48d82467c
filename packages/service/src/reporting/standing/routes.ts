import type { Db } from '../../db/index.js'
import { type App, ById, isOwnedBy, ownerFilter, principalOf } from '../../http/index.js'
import { findKey } from '../../resources/keys/index.js'
import { notFound } from '../../shared/errors.js'
import { readKeyStanding, type StandingParts } from './read.js'
import { KeyStanding } from './schema.js'

export type { StandingParts } from './read.js'

export function registerStandingRoutes(app: App, parts: StandingParts & { db: Db }): void {
  app.get(
    '/v1/keys/:id/standing',
    {
      config: { access: 'member', errors: ['not_found', 'unavailable'] },
      schema: {
        tags: ['Keys'],
        operationId: 'getKeyStanding',
        summary: 'Read how the limits of a key stand',
        description:
          'What the key has used of its rate limits in the rolling minute, and what is left of every limit on money that its calls must fit into. Read from where calls are admitted, without taking a place. A member reads its own keys.',
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
