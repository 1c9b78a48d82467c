import { Type } from 'typebox'
import { defineResource, type ManagementApi, presentEach, principalOf } from '../../http/index.js'
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
    present: presentEach((pack: PackRecord) => pack),
    listAll: {
      access: 'member',
      description:
        'Lists compliance packs. A pack maps checks and fields of receipts to the controls of a framework, and states what the record can and cannot show for each control.',
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
          'Activates or deactivates a pack, and adds a `control` entry to the record. While a pack is active, receipts list it with its version. Activating an active pack updates it to the newest version.',
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
