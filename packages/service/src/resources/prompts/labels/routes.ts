import { Type } from 'typebox'
import { defineResource, type ManagementApi, presentEach, principalOf } from '../../../http/index.js'
import { notFound } from '../../../shared/errors.js'
import { resolveVersion } from '../resolve.js'
import type { PromptRoutesOptions } from '../routes.js'
import { ByLabel, ResolvedLabel, SetLabel } from '../schema.js'
import { deleteLabel, setLabel } from './manage.js'

const tag = 'Prompts'

export function registerPromptLabelRoutes(api: ManagementApi, { onChange }: PromptRoutesOptions): void {
  const { app, db } = api
  defineResource(api, {
    path: '/v1/prompts/:id/label',
    params: ByLabel,
    tag,
    one: 'a label',
    many: 'labels',
    item: ResolvedLabel,
    present: presentEach((label: ResolvedLabel) => label),
    async find({ tenantId, params: { id, label } }) {
      const resolution = await resolveVersion(db, tenantId, id, { label })
      if ('found' in resolution) return resolution.found
      throw notFound(resolution.missing === 'prompt' ? 'prompt' : 'label of this prompt')
    },
    onChange,
    read: {
      access: 'member',
      operationId: 'resolvePromptLabel',
      summary: 'Get the version that a label points at',
      description:
        'Returns the version that a label points at. `latest` always points at the newest version.',
    },
    remove: {
      operationId: 'deletePromptLabel',
      description:
        'Deletes a label and keeps the version that it points at. Deleting a deleted label also succeeds. `latest` cannot be deleted.',
      run: ({ principal, params }) => deleteLabel(db, principal, params.id, params.label),
    },
  })

  app.post(
    '/v1/prompts/labels',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags: [tag],
        operationId: 'setPromptLabel',
        summary: 'Point a label at a version',
        description: `Creates the label or moves it. Calls that use the label get the new version on every replica within a second, so releases and
rollbacks take one step. \`latest\` is reserved and always points at the newest version.`,
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
}
