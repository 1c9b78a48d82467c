import type { FastifyReply } from 'fastify'
import { unavailable } from '../../errors.js'
import { type App, principalOf } from '../../http/index.js'
import { type AttestParts, attest } from './attest.js'
import { readPeriod } from './attestation-period.js'
import { Attestation, AttestationQuery } from './attestation-schema.js'
import { createSharedWork } from './shared-work.js'

export function registerAttestationRoutes(
  app: App,
  { stopping, ...parts }: AttestParts & { stopping: AbortSignal },
): void {
  const shared = createSharedWork<Attestation>()

  app.get(
    '/v1/compliance/attestation',
    {
      config: { access: 'member' },
      schema: {
        tags: ['Compliance'],
        operationId: 'getAttestation',
        summary: 'Attest a period',
        description:
          'Reads every entry of the period anew, verifies hashes, chain, tree and seals, and counts what verified entries say. A million entries take some seconds; callers who ask for the same period at the same time share the work.',
        querystring: AttestationQuery,
        response: { 200: Attestation },
      },
    },
    async (request, reply) => {
      const { tenantId } = principalOf(request)
      const period = readPeriod(request.query, parts.now())
      const gone = whenGone(reply)
      const leaving = AbortSignal.any([gone, stopping])
      try {
        return await shared.join(`${tenantId} ${period.label}`, leaving, (signal) =>
          attest(parts, tenantId, period, signal),
        )
      } catch (error) {
        // Nobody is there to be told; taking the reply over tells the framework so.
        if (gone.aborted) return reply.hijack()
        throw stopping.aborted ? unavailable('The service is shutting down') : error
      }
    },
  )
}

/** Aborted when the caller hangs up, and once the answer is through, when it no longer matters. */
function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  if (raw.destroyed) gone.abort()
  return gone.signal
}
