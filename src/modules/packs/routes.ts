import { Type } from 'typebox'
import { type App, principalOf } from '../../http/index.js'
import { changePackStatus, type PackParts } from './change-status.js'
import { presentPacks } from './present.js'
import { Framework, PackRecord, PackStatus } from './schema.js'
import { listActivePacks } from './store.js'

const tags = ['Compliance']

export function registerPackRoutes(
  app: App,
  { onChange, ...parts }: PackParts & { onChange(tenantId: string): void },
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
          'Packs map checks and fields of receipts to the controls of a framework, and say what the record can and cannot show of each.',
        response: { 200: Type.Array(PackRecord) },
      },
    },
    async (request) =>
      presentPacks(await listActivePacks(parts.db, principalOf(request).tenantId), parts.catalogue),
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
          'Leaves a `control` entry in the record. Later receipts list the pack, with its version, as in force. Activating an active pack takes over a newer version of it.',
        params: Type.Object({ framework: Framework }),
        body: PackStatus,
        response: { 200: PackRecord },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const pack = await changePackStatus(parts, principal, request.params.framework, request.body.status)
      onChange(principal.tenantId)
      return pack
    },
  )
}
