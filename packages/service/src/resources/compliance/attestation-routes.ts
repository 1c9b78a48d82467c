import type { FastifyReply } from 'fastify'
import { type App, principalOf } from '../../http/index.js'
import { serviceStopping } from '../../shared/errors.js'
import { type AttestDependencies, attest } from './attestation/attest.js'
import { readPeriod } from './attestation/attestation-period.js'
import { Attestation, AttestationQuery } from './attestation/attestation-schema.js'
import { findLastAttestation } from './attestation/last-attestation.js'
import { createSharedWork } from './attestation/shared-work.js'

export function registerAttestationRoutes(
  app: App,
  { stopping, ...dependencies }: AttestDependencies & { stopping: AbortSignal },
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
          'Returns a signed attestation of a period. It reads every entry of the period again, verifies hashes, chain, tree and seals, and counts only verified entries. A million entries take some seconds. Concurrent requests for the same period share the work. With `reuse=true` it returns the last attestation of the period, as it was signed, unless there is none or the record has an exception that it does not list.',
        querystring: AttestationQuery,
        response: { 200: Attestation },
      },
    },
    async (request, reply) => {
      const { tenantId } = principalOf(request)
      const period = readPeriod(request.query, dependencies.now())
      const last = request.query.reuse && (await findLastAttestation(dependencies.db, tenantId, period.label))
      if (last) return last
      const disconnected = disconnectSignal(reply)
      const signal = AbortSignal.any([disconnected, stopping])
      try {
        return await shared.join(`${tenantId} ${period.label}`, signal, (signal) =>
          attest(dependencies, tenantId, period, signal),
        )
      } catch (error) {
        // The caller has disconnected; `hijack` keeps Fastify from sending a reply.
        if (disconnected.aborted) return reply.hijack()
        throw stopping.aborted ? serviceStopping() : error
      }
    },
  )
}

/** Aborted when the caller disconnects, and after the answer was sent, when it no longer matters. */
function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController()
  raw.once('close', () => disconnected.abort())
  if (raw.destroyed) disconnected.abort()
  return disconnected.signal
}
