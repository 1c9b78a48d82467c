import { Type } from 'typebox'
import { defineResource, each, type ManagementApi, principalOf } from '../../http/index.js'
import { type PackDependencies, updatePackStatus } from './manage.js'
import { presentPacks } from './present.js'
import { Framework, PackRecord, PackStatus } from './schema.js'
import { listActivePacks } from './store.js'

const tag = 'Compliance'

export interface PackRoutesOptions extends Omit<PackDependencies, 'db'> {
  /** Called after a change is committed, so that this replica applies it before it answers. */
  onChange(tenantId: string): void
}

export function registerPackRoutes(
  api: ManagementApi,
  { catalogue, recordEvent, onChange }: PackRoutesOptions,
): void {
  const { app, db } = api
  defineResource(api, {
    path: '/v1/compliance/packs',
    tag,
    one: 'a pack',
    many: 'packs',
    item: PackRecord,
    present: each((pack: PackRecord) => pack),
    listAll: {
      access: 'member',
      description:
        'Packs map checks and fields of receipts to the controls of a framework, and state what the record can and cannot show for each.',
      rows: async ({ tenantId }) => presentPacks(await listActivePacks(db, tenantId), catalogue),
    },
  })

  // A pack that has just been deactivated may no longer exist and cannot be read again.
  app.put(
    '/v1/compliance/packs/:framework',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags: [tag],
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
      const { framework } = request.params
      const store = { db, catalogue, recordEvent }
      const pack = await updatePackStatus(store, principal, framework, request.body.status)
      onChange(principal.tenantId)
      return pack
    },
  )
}
