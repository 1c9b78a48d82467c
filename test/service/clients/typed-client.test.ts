import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTallystickClient } from '../../../packages/sdk/src/index.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

const committed = new URL('../../../packages/sdk/openapi.json', import.meta.url)

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

test('the committed OpenAPI document is what the service answers', async () => {
  const { body: document } = await service.api.get('/openapi.json')
  const text = `${JSON.stringify(document, null, 1)}
`
  if (process.env.WRITE_OPENAPI) await writeFile(committed, text)
  expect(await readFile(committed, 'utf8')).toBe(text)
})

test('a key is made, read, limited and revoked through the typed client', async () => {
  const client = createTallystickClient({ baseUrl: service.address, key: service.managerKey })
  const created = await client.POST('/v1/keys', { body: { name: 'typed', rpmLimit: 5 } })
  expect(created.response.status).toBe(201)
  const id = created.data?.id ?? ''

  const limited = await client.PATCH('/v1/keys/{id}/limits', {
    params: { path: { id } },
    body: { tpmLimit: 1_000 },
  })
  expect(limited.data).toEqual({ id, rpmLimit: 5, tpmLimit: 1_000 })

  const revoked = await client.DELETE('/v1/keys/{id}', { params: { path: { id } } })
  expect(revoked.response.status).toBe(204)
  const read = await client.GET('/v1/keys/{id}', { params: { path: { id } } })
  expect(read.data?.status).toBe('revoked')

  const missing = await client.GET('/v1/keys/{id}', { params: { path: { id: 'key_none' } } })
  expect(missing.error?.error).toMatchObject({ type: 'not_found', code: 404 })
})
