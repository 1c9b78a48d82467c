import { afterAll, test as anyTest, beforeAll, describe } from 'vitest'
import { chromiumPath, closeBrowserAfterwards } from './harness/browser.js'
import { type FullConsole, fullConsole, roles } from './harness/full-console.js'
import { lookAt } from './harness/look-at.js'
import { pages } from './harness/pages.js'
import { type Visit, visit } from './harness/visit.js'

const test = anyTest.skipIf(chromiumPath === undefined)

closeBrowserAfterwards()

describe.each(roles)('a %s, with many thousand calls in the record, finds no fault with', (role) => {
  let full: FullConsole
  let visitor: Visit
  beforeAll(async () => {
    if (chromiumPath === undefined) return
    full = await fullConsole()
    visitor = await visit({ address: full.address, key: full.keys[role], isSlow: role === 'auditor' })
  })
  afterAll(() => visitor?.close())

  test.each(pages.filter((page) => page.roles.includes(role)))('$title', async ({ path, title }) => {
    await lookAt(visitor, `${full.address}${path}`, title, role !== 'manager')
  })
})
