import { afterAll, test as anyTest, beforeAll, describe, inject } from 'vitest'
import { chromiumPath, closeBrowserAfterwards } from './harness/browser.js'
import { roles } from './harness/full-console.js'
import { lookAt } from './harness/look-at.js'
import { pages } from './harness/pages.js'
import { type Visit, visit } from './harness/visit.js'

const test = anyTest.skipIf(chromiumPath === undefined)

closeBrowserAfterwards()

describe.each(roles)('a %s, with a hundred thousand calls in the record, finds no fault with', (role) => {
  let visitor: Visit
  beforeAll(async () => {
    if (chromiumPath === undefined) return
    const { address, keys } = inject('fullConsole')
    visitor = await visit({ address, key: keys[role] })
  })
  afterAll(() => visitor?.close())

  test.each(pages.filter((page) => page.roles.includes(role)))('$title', async ({ path, title }) => {
    await lookAt(visitor, `${inject('fullConsole').address}${path}`, title)
  })
})
