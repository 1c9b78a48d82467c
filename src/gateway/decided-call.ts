import type { FastifyReply } from 'fastify'
import type { Entitlements } from '../modules/keys/index.js'
import type { Call } from './call.js'
import type { Plan } from './plan/plan.js'

/** A call as it came in. */
export interface ArrivedCall {
  call: Call
  entitlements: Entitlements
  reply: FastifyReply
  commitmentKey: Buffer
  /** To the caller's own bytes. */
  commitment: string
  startedMs: number
}

/** A call that was decided on. */
export interface DecidedCall extends ArrivedCall {
  plan: Plan
}
