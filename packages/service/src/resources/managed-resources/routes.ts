import { ById, defineResource, type ManagementApi, presentEach } from '../../http/index.js'
import {
  createManagedResource,
  deleteManagedResource,
  presentManagedResource,
  updateManagedResource,
} from './manage.js'
import {
  CreateManagedResource,
  ManagedResource,
  ManagedResourceFilters,
  UpdateManagedResource,
} from './schema.js'
import { findManagedResource, listManagedResources, type ManagedResourceRow } from './store.js'

const section = {
  name: 'Configuration as code',
  description:
    'Which objects are described by files, and what was last applied to them. `tallystick apply` keeps these entries. Use them to build another tool of this kind, such as a Terraform provider.',
}

export function registerManagedResourceRoutes(api: ManagementApi): void {
  const { db } = api
  defineResource(api, {
    path: '/v1/managed-resources',
    params: ById,
    tag: section,
    one: 'a managed resource',
    many: 'managed resources',
    item: ManagedResource,
    present: presentEach(presentManagedResource),
    find: ({ tenantId, params }) => findManagedResource(db, tenantId, params.id),
    list: {
      description: 'Lists the objects that are described by files, newest first.',
      filters: ManagedResourceFilters,
      rows: ({ tenantId, filter }) => listManagedResources(db, tenantId, filter),
      position: (row: ManagedResourceRow) => row.id,
    },
    create: {
      description:
        'Notes that an object is described by files. Add the entry before you create the object, and its id after that: an interrupted run can then be continued. An object has one entry; a second one fails with 409.',
      errors: ['conflict'],
      body: CreateManagedResource,
      answer: ManagedResource,
      run:
        ({ principal, body }) =>
        async (db) =>
          presentManagedResource(await createManagedResource(db, principal, body)),
    },
    read: { description: 'Returns the entry of an object that is described by files.' },
    update: {
      description:
        'Updates the fields that are sent and leaves all others as they are. With `ifRevision`, one of several concurrent changes succeeds and the others fail with 409.',
      errors: ['not_found', 'conflict'],
      body: UpdateManagedResource,
      run: ({ principal, params, body }) => updateManagedResource(db, principal, params.id, body),
    },
    remove: {
      description:
        'Deletes the entry. The object itself stays and is no longer described by files. Deleting a deleted entry also succeeds.',
      run: ({ principal, params }) => deleteManagedResource(db, principal, params.id),
    },
  })
}
