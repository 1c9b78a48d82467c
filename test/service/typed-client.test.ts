import { readFile, writeFile } from 'node:fs/promises'
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTallystickClient } from '../../sdk/src/index.js'
import { startTestService, type TestService } from '../harness/service.js'

const generated = new URL('../../sdk/src/generated/api.ts', import.meta.url)
const header = '// Written by `npm run client` from the OpenAPI document. Do not edit.\n\n'

// What has a default may be left out of a request.
const options = { defaultNonNullable: false }

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

test('the typed client is what the OpenAPI document says', async () => {
  const document: OpenAPI3 = (await service.api.get('/openapi.json')).body
  const source = header + astToString(await openapiTypescript(document, options))
  if (process.env.WRITE_CLIENT) await writeFile(generated, source)
  expect(await readFile(generated, 'utf8')).toBe(source)
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
