import { Type } from 'typebox'
import { type App, ById, Page, PageQuery, principalOf, readPage, strict } from '../../http/index.js'
import { answerOnce } from '../idempotency/index.js'
import { readPrompt } from './manage.js'
import { appendVersion } from './manage-versions.js'
import { presentVersion } from './present.js'
import type { PromptRoutesOptions } from './routes.js'
import { AppendVersion, PromptVersion } from './schema.js'
import { listVersions } from './store.js'

const tags = ['Prompts']

export function registerPromptVersionRoutes(app: App, { db, cursors, onChange }: PromptRoutesOptions): void {
  app.get(
    '/v1/prompts/:id/versions',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'listPromptVersions',
        summary: 'List the versions of a prompt',
        description: 'Newest first. A version never changes.',
        params: ById,
        querystring: Type.Object(PageQuery, strict),
        response: { 200: Page(PromptVersion, 'PromptVersionPage') },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      const { id } = await readPrompt(db, tenantId, request.params.id)
      return await readPage({
        query: request.query,
        scope: `prompt versions ${tenantId} ${id}`,
        cursors,
        fetch: ({ after, limit }) =>
          listVersions(db, tenantId, id, { before: after === null ? null : Number(after), limit }),
        position: (row) => String(row.version),
        present: presentVersion,
      })
    },
  )

  app.post(
    '/v1/prompts/versions',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'appendPromptVersion',
        summary: 'Append a version to a prompt',
        description: `Versions are numbered 1, 2, 3 … without gaps or repeats, however many are appended at once. The label
\`latest\` follows; every other label stays until it is moved.`,
        body: AppendVersion,
        response: { 201: PromptVersion },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const version = await answerOnce(db, request, (db) => appendVersion(db, principal, request.body))
      onChange(principal.tenantId)
      return reply.code(201).send(version)
    },
  )
}
