import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pagesElsewhere, sections } from './pages.mjs'

/** The sections of pages.mjs with the titles of their pages. @param {string} root of the repository */
export const renderSidebar = (root) =>
  sections.map(({ title, pages }) => ({
    text: title,
    items: pages
      .map((page) => ({ page, file: join(root, findSource(page)) }))
      // A test tells which page is missing; the others can be read without it.
      .filter(({ file }) => existsSync(file))
      .map(({ page, file }) => ({ text: readTitle(file), link: `/${page.replace(/README$/, '')}` })),
  }))

/** The file of a page, from the root of the repository. @param {string} page */
export function findSource(page) {
  const elsewhere = Object.entries(pagesElsewhere).find(([, place]) => place === page)
  return elsewhere?.[0] ?? `docs/${page}.md`
}

/** @param {string} file */
const readTitle = (file) => /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]?.replaceAll('`', '') ?? file
