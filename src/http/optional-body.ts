import type { FastifyRequest } from 'fastify'

/** For actions that may come without a body: that is the same as an empty one. A body that says `null` is not. */
export async function allowNoBody(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {}
}
