import type { FastifyRequest } from 'fastify'
import type { BodyAccount, Principal } from '../../http/index.js'
import type { Ledger } from '../../ledger/index.js'
import type { Entitlements } from '../../modules/keys/index.js'
import type { CreateParts } from './create-batch.js'

export interface BatchRouteParts extends Omit<CreateParts, 'entitlementsOf'> {
  entitlementsOf(principal: Principal): Promise<Entitlements | null>
  ledger: CreateParts['ledger'] & Pick<Ledger, 'available' | 'faultOf'>
  mayServeAgain(): Promise<boolean>
  accountOf(request: FastifyRequest): BodyAccount
  /** A batch is new, or was cancelled. */
  onChanged(): void
}
