import type { Aged, Db, ReplicaReads } from '../../db/index.js'
import { type App, dataAsOfHeader, principalOf, withDataAge } from '../../http/index.js'
import { invalidField } from '../../shared/errors.js'
import { isTimeZone, type RunReport, SharedReads, spanOf } from '../usage/index.js'
import { readPolicyHits } from './read.js'
import { PolicyHits, PolicyHitsQuery } from './schema.js'

export function registerPolicyHitRoutes(
  app: App,
  { reads, now, runReport }: { reads: ReplicaReads; now(): Date; runReport: RunReport },
): void {
  const shared = new SharedReads<Aged<PolicyHits>>()
  app.get(
    '/v1/policies/hits',
    {
      config: {
        access: 'reader',
        errors: ['rate_limit_exceeded'],
        answerHeaders: { success: dataAsOfHeader },
      },
      schema: {
        tags: ['Policies'],
        operationId: 'getPolicyHits',
        summary: 'Count the calls that policies acted on',
        description: `Returns for each policy on how many calls it acted in the last seven days, today included: calls that it blocked, changed or
flagged. Only calls that are still stored are counted. Only a few of these reports run at a time, together with
usage reports.`,
        querystring: PolicyHitsQuery,
        response: { 200: PolicyHits },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { tenantId } = principal
      const { timeZone = 'UTC' } = request.query
      if (!isTimeZone(timeZone))
        throw invalidField('timeZone', 'must be the name of a time zone, such as UTC or Europe/Berlin')
      const readHits = () => reads.run((db) => countHits(db, tenantId, spanOf('7d', now(), timeZone)))
      const question = { tenantId, timeZone }
      return withDataAge(reply, await runReport(principal, readHits, { reads: shared, question }))
    },
  )
}

async function countHits(
  db: Db,
  tenantId: string,
  { starts, end }: { starts: Date[]; end: Date },
): Promise<PolicyHits> {
  const byPolicy = new Map<string, number[]>()
  for (const { policyId, day, calls } of await readPolicyHits(db, tenantId, starts, end)) {
    const days = byPolicy.get(policyId) ?? starts.map(() => 0)
    days[day] = calls
    byPolicy.set(policyId, days)
  }
  return {
    days: starts.map((start) => start.toISOString()),
    to: end.toISOString(),
    policies: [...byPolicy].map(([policyId, calls]) => ({ policyId, calls })),
  }
}
