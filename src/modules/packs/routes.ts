import { Type } from 'typebox'
import { type App, principalOf } from '../../http/index.js'
import { type PackDependencies, updatePackStatus } from './manage.js'
import { presentPacks } from './present.js'
import { Framework, PackRecord, PackStatus } from './schema.js'
import { listActivePacks } from './store.js'

const tags = ['Compliance']

export function registerPackRoutes(
  app: App,
  { onChange, ...dependencies }: PackDependencies & { onChange(tenantId: string): void },
): void {
  app.get(
    '/v1/compliance/packs',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listPacks',
        summary: 'List packs',
        description:
          'Packs map checks and fields of receipts to the controls of a framework, and state what the record can and cannot show for each.',
        response: { 200: Type.Array(PackRecord) },
      },
    },
    async (request) =>
      presentPacks(
        await listActivePacks(dependencies.db, principalOf(request).tenantId),
        dependencies.catalogue,
      ),
  )

  app.put(
    '/v1/compliance/packs/:framework',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'setPackStatus',
        summary: 'Activate or deactivate a pack',
        description:
          'Adds a `control` entry to the record. Later receipts list the pack and its version. Activating an active pack updates it to a newer version.',
        params: Type.Object({ framework: Framework }),
        body: PackStatus,
        response: { 200: PackRecord },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const pack = await updatePackStatus(
        dependencies,
        principal,
        request.params.framework,
        request.body.status,
      )
      onChange(principal.tenantId)
      return pack
    },
  )
}
