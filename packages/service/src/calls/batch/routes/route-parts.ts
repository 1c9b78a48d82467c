import type { FastifyRequest } from 'fastify'
import type { BodyAccount, Principal } from '../../../http/index.js'
import type { Ledger } from '../../../record/index.js'
import type { Entitlements } from '../../../resources/keys/index.js'
import type { CreateParts } from '../create-batch.js'

export interface BatchRouteParts extends Omit<CreateParts, 'entitlementsOf'> {
  entitlementsOf(principal: Principal): Promise<Entitlements | null>
  ledger: CreateParts['ledger'] & Pick<Ledger, 'available' | 'faultOf'>
  waitUntilMayServe(): Promise<boolean>
  accountOf(request: FastifyRequest): BodyAccount
  /** Called when a batch was created or cancelled. */
  onChanged(): void
}
