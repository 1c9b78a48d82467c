import { afterAll, test as anyTest, beforeAll, describe } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { chromiumPath, closeBrowserAfterwards } from './harness/browser.js'
import { lookAt } from './harness/look-at.js'
import { pages } from './harness/pages.js'
import { type Visit, visit } from './harness/visit.js'

const test = anyTest.skipIf(chromiumPath === undefined)
const managerKey = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let database: TestDatabase
let service: ServiceProcess

closeBrowserAfterwards()
beforeAll(async () => {
  if (chromiumPath === undefined) return
  database = await createTestDatabase()
  service = await startServiceProcess({ DATABASE_URL: database.url, TALLYSTICK_BOOTSTRAP_KEY: managerKey })
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await database?.drop()
})

const fill = async () => {
  const { post } = createApi(service.address, managerKey)
  for (let n = 0; n < 3; n += 1)
    await post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content: 'Hello' }] })
  await post('/v1/budgets', { name: 'All', scope: { type: 'tenant' }, amountUsd: 10, period: 'monthly' })
}

describe.each([
  { state: 'nothing', prepare: async () => undefined, isKnown: false },
  { state: 'three calls', prepare: fill, isKnown: true },
])('a manager, with $state in it, finds no fault with', ({ prepare, isKnown }) => {
  let visitor: Visit
  beforeAll(async () => {
    if (chromiumPath === undefined) return
    await prepare()
    visitor = await visit({ address: service.address, key: managerKey })
  })
  afterAll(() => visitor?.close())

  test.each(pages)('$title', async ({ path, title }) => {
    await lookAt(visitor, `${service.address}${path}`, title, isKnown)
  })
})
