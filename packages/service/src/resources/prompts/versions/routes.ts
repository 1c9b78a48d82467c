import { ById, defineResource, type ManagementApi, presentEach, principalOf } from '../../../http/index.js'
import { answerOnce } from '../../idempotency/index.js'
import { readPrompt } from '../manage.js'
import { presentVersion } from '../present.js'
import type { PromptRoutesOptions } from '../routes.js'
import { AppendVersion, PromptVersion } from '../schema.js'
import { listVersions } from '../store.js'
import { appendVersion } from './manage.js'

const tag = 'Prompts'

export function registerPromptVersionRoutes(api: ManagementApi, { onChange }: PromptRoutesOptions): void {
  const { app, db } = api
  defineResource(api, {
    path: '/v1/prompts/:id/versions',
    parent: ById,
    tag,
    one: 'a prompt version',
    many: 'prompt versions',
    item: PromptVersion,
    present: presentEach(presentVersion),
    list: {
      access: 'member',
      summary: 'List the versions of a prompt',
      description: 'Lists the versions of a prompt, newest first. A version never changes.',
      errors: ['not_found'],
      async rows({ tenantId, params, filter: { after, limit } }) {
        const { id } = await readPrompt(db, tenantId, params.id)
        return await listVersions(db, tenantId, id, { before: after === null ? null : Number(after), limit })
      },
      position: (row) => String(row.version),
    },
  })

  app.post(
    '/v1/prompts/versions',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found'] },
      schema: {
        tags: [tag],
        operationId: 'appendPromptVersion',
        summary: 'Append a version to a prompt',
        description: `Appends a version to a prompt. Versions are numbered 1, 2, 3 and so on, without gaps or repeats, even if several are appended
at the same time. The label \`latest\` moves to the new version. Every other label stays until it is moved.`,
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
