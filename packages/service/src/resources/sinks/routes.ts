import { ById, defineResource, type ManagementApi, presentEach, principalOf } from '../../http/index.js'
import { readDestination } from './destination-fields.js'
import { createSink, deleteSink, type SinkStore, updateSink } from './manage.js'
import { presentSink } from './present.js'
import { CreateSink, Sink, SinkTest, UpdateSink } from './schema.js'
import { findSink, listSinks, type SinkView } from './store.js'
import { testSink } from './test-sink.js'

const tag = 'Sinks'

export function registerSinkRoutes(
  api: ManagementApi,
  { outbound, secrets, identity }: Omit<SinkStore, 'db'>,
): void {
  const { app, db } = api
  const store = { db, outbound, secrets, identity }
  defineResource(api, {
    path: '/v1/sinks',
    params: ById,
    tag,
    one: 'a sink',
    many: 'sinks',
    item: Sink,
    present: presentEach((row: SinkView) => presentSink(row, secrets)),
    find: ({ tenantId, params }) => findSink(db, tenantId, params.id),
    list: {
      description: 'Lists sinks, newest first, each with how far it is.',
      rows: ({ tenantId, filter }) => listSinks(db, tenantId, filter),
      position: (row) => row.id,
    },
    create: {
      description:
        'Creates a sink, which exports everything that is stored already and then what is added. Secrets are stored encrypted and never returned.',
      errors: ['conflict'],
      body: CreateSink,
      answer: Sink,
      async run({ principal, body }) {
        const destination = await readDestination(body.destination, principal.tenantId, store)
        return async (db) =>
          await presentSink(await createSink({ db, secrets }, principal, body, destination), secrets)
      },
    },
    read: {},
    update: {
      description:
        'Updates the fields that are sent and leaves all others as they are. `destination` is replaced as a whole. Secrets that are not sent are kept, if the address stays the same; otherwise the request fails with 409.',
      errors: ['not_found', 'conflict'],
      body: UpdateSink,
      run: ({ principal, params, body }) => updateSink(store, principal, params.id, body),
    },
    remove: {
      description:
        'Deletes a sink and erases its secrets. What was exported stays where it is. Deleting a deleted sink also succeeds.',
      run: ({ principal, params }) => deleteSink(store, principal, params.id),
    },
  })

  app.post(
    '/v1/sinks/:id/test',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags: [tag],
        operationId: 'testSink',
        summary: 'Test a sink',
        description:
          'Sends a test to the destination once and returns what came of it. `s3` gets the object `test/{id}.json` below the prefix, `http` the line `{"test":true}`. It also works for a disabled sink. This operation takes no body.',
        params: ById,
        response: { 200: SinkTest },
      },
    },
    async (request) => await testSink(store, principalOf(request), request.params.id),
  )
}
