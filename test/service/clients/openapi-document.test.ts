import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
