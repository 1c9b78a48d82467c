import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeBrowserAfterwards, openBrowser } from '../../console/harness/browser.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
closeBrowserAfterwards()

test('no link of the reference carries the address of the service elsewhere', async () => {
  const page = await (await openBrowser()).newPage()
  await page.goto(`${service.address}/docs/api/`)
  await page.getByRole('link', { name: 'Powered by Scalar' }).first().waitFor()
  const links = await page.locator('a[href]').all()
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')))
  const outside = addresses.filter(
    (href) => href !== null && /^https?:/.test(href) && !href.startsWith(service.address),
  )
  expect([...new Set(outside)]).toEqual(['https://www.scalar.com'])
  await page.close()
})
