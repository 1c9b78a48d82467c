import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pagesElsewhere, sections, unlistedFolders } from '../../docs/.vitepress/pages.mjs'
import { root } from '../harness/service/snippets.js'

const listed = sections.flatMap(({ pages }) => pages)

test('every page below docs/ is in the sidebar of the site, or in a folder that has no sidebar entries', () => {
  const isUnlisted = (page: string) => unlistedFolders.some((folder) => page.startsWith(`${folder}/`))
  const missing = readdirSync(join(root, 'docs'), { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
    .map((name) => name.slice(0, -'.md'.length))
    .filter((page) => page !== 'index' && !listed.includes(page) && !isUnlisted(page))
  expect(missing, 'add a line for each of these pages to docs/.vitepress/pages.mjs').toEqual([])
})

test('every page in the sidebar exists', () => {
  const places = Object.values(pagesElsewhere)
  const gone = listed.filter((page) => !places.includes(page) && !existsSync(join(root, `docs/${page}.md`)))
  expect(gone, 'remove or rename the lines of these pages in docs/.vitepress/pages.mjs').toEqual([])
  expect(Object.keys(pagesElsewhere).filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(places.filter((place) => !listed.includes(place))).toEqual([])
})
