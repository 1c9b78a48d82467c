import type { FastifyReply } from 'fastify'
import type { Aged } from '../db/index.js'

/** Returns what was read, and tells the caller in a header how old data of a read replica may be. */
export function withDataAge<T>(reply: FastifyReply, { value, asOf }: Aged<T>): T {
  if (asOf !== null) reply.header('x-tallystick-data-as-of', asOf.toISOString())
  return value
}
