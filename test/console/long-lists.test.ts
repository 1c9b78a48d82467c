import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { chromiumPath, closeBrowserAfterwards } from './harness/browser.js'
import { startConsole, type TestConsole } from './harness/console.js'
import { settled, visit } from './harness/visit.js'

const test = anyTest.skipIf(chromiumPath === undefined)

let tally: TestConsole

closeBrowserAfterwards()
beforeAll(async () => {
  if (chromiumPath === undefined) return
  tally = await startConsole()
})
afterAll(() => tally?.stop())

test('pages that sort or filter a list themselves load all of it, page by page', async () => {
  const [tenant] = await tally.database.query<{ id: string }>('select id from tenants')
  const columns = `'_' || lpad(n::text, 26, '0'), $1, 'Row ' || n`
  for (const insert of [
    `insert into prompts (id, tenant_id, name) select 'prompt' || ${columns}`,
    `insert into teams (id, tenant_id, name, budget_pool_nanos) select 'team' || ${columns}, 5`,
  ])
    await tally.database.query(`${insert} from generate_series(1, 201) n`, [tenant?.id])

  const visitor = await visit({ address: tally.address, key: tally.managerKey })
  const { page } = visitor
  const limits: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/v1/prompts' || pathname === '/v1/team/teams') limits.push(searchParams.get('limit'))
  })

  await page.goto(`${tally.address}/prompts`)
  await page.getByPlaceholder('Filter prompts').fill('row 1')
  // The oldest, with which the second page begins and ends.
  await page.getByText('Row 1', { exact: true }).waitFor()
  await page.goto(`${tally.address}/people`)
  await page.getByText('Row 1', { exact: true }).waitFor()
  await settled(page)
  expect(new Set(limits)).toEqual(new Set(['200']))
  expect(visitor.complaints()).toEqual([])
  await visitor.close()
})
