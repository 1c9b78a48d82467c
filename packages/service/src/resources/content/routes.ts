import { Type } from 'typebox'
import { type App, principalOf } from '../../http/index.js'
import { notFound } from '../../shared/errors.js'
import type { ContentReader } from './read.js'
import { CallContentRecord } from './schema.js'

export function registerContentRoutes(app: App, { reader }: { reader: ContentReader }): void {
  app.get(
    '/v1/calls/:requestId/content',
    {
      config: { access: 'reader', errors: ['not_found'] },
      schema: {
        tags: ['Calls'],
        operationId: 'getCallContent',
        summary: 'Get the content of a call',
        description:
          'Returns the request and the answer of a call, if content capture was on when the call was made. Every read adds an entry `content.read` to the audit log.',
        params: Type.Object({ requestId: Type.String({ maxLength: 64 }) }),
        response: { 200: CallContentRecord },
      },
    },
    async (request) => {
      const content = await reader.read(principalOf(request), request.params.requestId)
      if (content === null) throw notFound(`call ${request.params.requestId}`)
      return content
    },
  )
}
