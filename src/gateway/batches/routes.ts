import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { type App, type BodyAccount, createValidatorCompiler, type Principal } from '../../http/index.js'
import type { Entitlements } from '../../modules/keys/index.js'
import { readBodyObject } from '../call.js'
import { readBody } from '../read-body.js'
import { registerBatchRoutes } from './batch-routes.js'
import type { CreateParts } from './create-batch.js'
import { registerFileRoutes } from './file-routes.js'

export interface BatchRouteParts extends Omit<CreateParts, 'entitlementsOf'> {
  entitlementsOf(principal: Principal): Promise<Entitlements | null>
  ledger: CreateParts['ledger'] & { available(): boolean }
  mayServeAgain(): Promise<boolean>
  accountOf(request: FastifyRequest): BodyAccount
  /** A batch is new, or was cancelled. */
  onChanged(): void
}

/** Files and batches, as OpenAI's clients know them. */
export async function registerBatches(gateway: App, parts: BatchRouteParts): Promise<void> {
  await gateway.register(async (scope: App) => {
    // Unlike calls, these bodies are all ours to understand.
    scope.setValidatorCompiler(createValidatorCompiler())
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser(
      'application/json',
      async (request: FastifyRequest, payload: Readable) =>
        (await readBodyObject(await readBody(payload, parts.accountOf(request)), parts)).body,
    )
    registerFileRoutes(scope, parts)
    registerBatchRoutes(scope, parts)
  })
}
