import type { Db } from '../../db/index.js'
import { type App, ownerFilter, principalOf } from '../../http/index.js'
import { reportUsage } from './report.js'
import { Usage, UsageQuery } from './schema.js'

export function registerUsageRoutes(app: App, { db, now }: { db: Db; now(): Date }): void {
  app.get(
    '/v1/usage',
    {
      config: { access: 'member' },
      schema: {
        tags: ['Usage'],
        operationId: 'getUsage',
        summary: 'Read usage and spend',
        description: `Requests, tokens, spend and latency: in total, over time and by one dimension. Of the whole tenant for managers and
auditors; a member reads its own, which is that of its user or, for a key without an owner, of the key.

Counts the calls admitted from \`from\` up to \`to\`, and equals the sum over their receipts to the token and the
nano-dollar. Calls in progress are not included yet. \`1h\` is shown in 60 minutes, \`24h\` in 24 hours, the other
ranges in UTC days; the last one is the current minute, hour or day.`,
        querystring: UsageQuery,
        response: { 200: Usage },
      },
    },
    async (request) => {
      const { range = '30d', groupBy = 'model' } = request.query
      const principal = principalOf(request)
      const { tenantId } = principal
      return await reportUsage(db, now, { tenantId, own: ownerFilter(principal), range, groupBy })
    },
  )
}
