import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { readBody } from '../../governed/index.js'
import { type App, createValidatorCompiler } from '../../http/index.js'
import { readBodyObject } from '../call.js'
import { registerBatchRoutes } from './batch-routes.js'
import { registerFileRoutes } from './file-routes.js'
import type { BatchRouteParts } from './route-parts.js'

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
