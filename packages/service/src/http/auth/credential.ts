import type { FastifyRequest } from 'fastify'
import { bearerOf } from './key-resolvers.js'
import { sessionCookieOf } from './session-cookie.js'

/** Returns the secret that a management request authenticates with: its key, or else its session. */
export const credentialOf = (request: FastifyRequest): string | null =>
  bearerOf(request) ?? sessionCookieOf(request)
