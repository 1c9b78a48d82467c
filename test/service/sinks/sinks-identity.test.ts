import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../../harness/run/wait.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant } from '../../harness/service/tenant.js'
import { bucket, keys, type ObjectStore, startObjectStore } from '../../harness/sinks/object-store.js'

let store: ObjectStore
let service: TestService

beforeAll(async () => {
  store = await startObjectStore()
  service = await startTestService({
    env: {
      TALLYSTICK_SINK_BUCKETS: `default/${bucket}, elsewhere/others`,
      AWS_ACCESS_KEY_ID: keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
      AWS_ENDPOINT_URL_S3: store.url,
    },
  })
})
afterAll(async () => {
  await service.stop()
  await store.close()
})
afterEach(async () => {
  for (const { id } of (await service.api.get('/v1/sinks')).body.data)
    await service.api.delete(`/v1/sinks/${id}`)
})

const sink = (fields: object = {}) => ({
  ...{ name: 'lake', data: 'receipts', intervalSeconds: 1 },
  destination: { type: 's3', region: 'eu-central-1', bucket, prefix: 'own', ...fields },
})

test('a bucket that the operator allows is written with the identity of the machine', async () => {
  await service.api.post('/v1/chat/completions', {
    model: 'mock/echo',
    messages: [{ role: 'user', content: 'Hi' }],
  })
  const { status, body } = await service.api.post('/v1/sinks', sink())
  expect(status, JSON.stringify(body)).toBe(201)
  expect(body.destination).toMatchObject({ url: store.url, accessKeyId: null })
  await service.api.patch(`/v1/sinks/${body.id}`, {
    destination: { ...sink().destination, ...keys, url: store.url },
  })
  const { body: keyless } = await service.api.patch(`/v1/sinks/${body.id}`, {
    destination: sink().destination,
  })
  expect(keyless.destination.accessKeyId).toBeNull()
  await waitFor('rows in the bucket', async () => (await store.rows()).length > 0)
  expect((await service.api.post(`/v1/sinks/${body.id}/test`)).body).toEqual({ delivered: true, error: null })
  expect(await store.list()).toContain(`own/test/${body.id}.json`)
})

test('no manager can use it for another bucket, another address, another tenant or a way out of the prefix', async () => {
  const { api: other } = await addTenant(service, 'not-named')
  const answers = [
    await service.api.post('/v1/sinks', sink({ bucket: 'others' })),
    await service.api.post('/v1/sinks', sink({ url: 'http://127.0.0.1:9' })),
    await service.api.post('/v1/sinks', sink({ prefix: '../others' })),
    await service.api.post('/v1/sinks', sink({ secretAccessKey: 'without its id' })),
    await other.post('/v1/sinks', sink()),
  ]
  expect(answers.map(({ status, body }) => [status, body.error.details[0].path])).toEqual([
    [400, 'destination.accessKeyId'],
    [400, 'destination.url'],
    [400, 'destination.prefix'],
    [400, 'destination.accessKeyId'],
    [400, 'destination.accessKeyId'],
  ])
  const { body } = await service.api.post('/v1/sinks', { ...sink(), enabled: false })
  // As if the operator had taken the bucket back since.
  await service.database.query(
    `update sinks set destination = destination || '{"bucket": "others"}' where id = $1`,
    [body.id],
  )
  expect((await service.api.post(`/v1/sinks/${body.id}/test`)).body).toMatchObject({
    delivered: false,
    error: expect.stringContaining('TALLYSTICK_SINK_BUCKETS'),
  })
})
