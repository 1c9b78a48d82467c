import { Type } from 'typebox'
import { notFound } from '../../errors.js'
import { type App, principalOf } from '../../http/index.js'
import { deleteLabel, setLabel } from './manage-labels.js'
import { resolveVersion } from './resolve.js'
import type { PromptRoutesOptions } from './routes.js'
import { ByLabel, ResolvedLabel, SetLabel } from './schema.js'

const tags = ['Prompts']

export function registerPromptLabelRoutes(app: App, { db, onChange }: PromptRoutesOptions): void {
  app.post(
    '/v1/prompts/labels',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'setPromptLabel',
        summary: 'Point a label at a version',
        description: `Creates the label or moves it. Calls that use it get the new version on every replica within a second: a
release, or a rollback, in one step. \`latest\` is reserved and always means the newest version.`,
        body: SetLabel,
        response: { 204: Type.Null({ description: 'The label points at the version' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      await setLabel(db, principal, request.body)
      onChange(principal.tenantId)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/v1/prompts/:id/label/:label',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'resolvePromptLabel',
        summary: 'Read the version that a label points at',
        description: '`latest` is always the newest version.',
        params: ByLabel,
        response: { 200: ResolvedLabel },
      },
    },
    async (request) => {
      const { id, label } = request.params
      const resolution = await resolveVersion(db, principalOf(request).tenantId, id, { label })
      if ('found' in resolution) return resolution.found
      throw notFound(resolution.missing === 'prompt' ? 'prompt' : 'label of this prompt')
    },
  )

  app.delete(
    '/v1/prompts/:id/label/:label',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'deletePromptLabel',
        summary: 'Delete a label',
        description:
          'The version that it pointed at stays. Deleting again is fine; `latest` cannot be deleted.',
        params: ByLabel,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { id, label } = request.params
      await deleteLabel(db, principal, id, label)
      onChange(principal.tenantId)
      return reply.code(204).send(null)
    },
  )
}
