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
        summary: 'What a call said',
        description:
          'The request and the answer, where content capture was on when the call was made. Whoever reads content leaves an entry `content.read` in the audit log.',
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
