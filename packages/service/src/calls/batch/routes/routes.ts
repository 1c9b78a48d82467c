import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { type App, createValidatorCompiler } from '../../../http/index.js'
import { readBody } from '../../core/index.js'
import { readBodyObject } from '../../model/call.js'
import { registerBatchRoutes } from './batch-routes.js'
import { registerFileRoutes } from './file-routes.js'
import type { BatchRouteParts } from './route-parts.js'

/** Registers the routes for files and batches, which are compatible with OpenAI's. */
export async function registerBatches(gateway: App, parts: BatchRouteParts): Promise<void> {
  await gateway.register(async (scope: App) => {
    // Unlike bodies of model calls, these bodies are parsed and validated in full.
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
