import type { FastifyRequest } from 'fastify'

/**
 * For actions whose body may be left out, which means the same as an empty one. A body of `null` is not accepted.
 */
export async function allowNoBody(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {}
}
