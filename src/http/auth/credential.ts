import type { FastifyRequest } from 'fastify'
import { bearerOf } from './key-resolvers.js'
import { sessionCookieOf } from './session-cookie.js'

/** The secret that a management request proves itself with: its key, else its session. */
export const credentialOf = (request: FastifyRequest): string | null =>
  bearerOf(request) ?? sessionCookieOf(request)
